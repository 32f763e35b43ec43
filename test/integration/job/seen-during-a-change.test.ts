import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createNews } from '../../../src-main/engine/engine-events.ts';
import { JobNews } from '../../../src-main/engine/job-news.ts';
import type { History } from '../../../src-main/history/history.ts';
import { OwnFields } from '../../../src-main/job/commands/own-fields.ts';
import { Ledger } from '../../../src-main/job/store/ledger.ts';
import { createLog } from '../../../src-main/log.ts';
import type { Job } from '../../../src-preload/job.ts';
import { openTestHistory } from '../../kit/threads.ts';
import { aNewJob } from '../../unit/history/a-database.ts';

it('a job that is marked as seen while something else about it is saved is reported as seen', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jobdeck-seen-'));
  const { history } = await openTestHistory({ path: join(folder, 'history.db'), now: Date.now });
  onTestFinished(async () => {
    await history.close();
    await rm(folder, { recursive: true, force: true });
  });
  let reported: Job | undefined;
  const news = createNews(() => {});
  news.listen((name, payload) => {
    if (name === 'job:changed' && 'removedKeys' in payload) reported = payload.jobs.at(-1) ?? reported;
  });
  const jobNews = new JobNews(news);
  let seen: Promise<void> = Promise.resolve();
  const own = (): OwnFields => new OwnFields({ ledger, history: slow });
  /** Is busy after each read of a job, so that it answers together what is asked for meanwhile. */
  const slow: History = {
    ...history,
    async get(key) {
      const stored = await history.get(key);
      void history.tags(1);
      void afterPromises(50).then(
        () =>
          (seen = own()
            .markSeen([key])
            .then((jobs) => jobNews.changed(jobs))),
      );
      return stored;
    },
  };
  const ledger = new Ledger({
    history: slow,
    now: Date.now,
    onCommitted: (changes) => jobNews.changed(changes.map(({ after }) => after)),
    log: createLog({ write: () => {}, now: Date.now }),
  });
  await history.commit([aNewJob({ key: 'k1', phase: 'finished', status: 'FAILED', jobId: 'j1', isSeen: false })]);

  await ledger.change('k1', [{ kind: 'retry-requested' }]);
  await seen;
  await history.tags(1);
  expect(reported).toMatchObject({ retryRequestedAtMs: expect.any(Number), isSeen: true });
});

async function afterPromises(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await Promise.resolve();
}
