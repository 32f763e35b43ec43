import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { commit } from '../../../src-main/history/jobs/jobs.ts';
import { commitChunks } from '../../../src-main/history/jobs/streams.ts';
import { openDatabase } from '../../../src-main/history/file/open.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import { aJob } from '../../kit/a-job.ts';
import { closeApps, newFolder, openApp, removeAppFolders } from './app-scene.ts';

afterEach(closeApps);
afterAll(removeAppFolders);

it('a job whose text cannot be indexed is reported to the user at each start; all others are found', async () => {
  const dataDir = await newFolder();
  const { db } = openDatabase(join(dataDir, 'history.db'), 0);
  const ended = { phase: 'finished', status: 'COMPLETED' } as const;
  commit(
    db,
    ['k1', 'k2', 'k3'].map((key) => ({
      job: aJob({ key, title: `job ${key}`, ...ended }),
      bodies: [{ part: 'output' as const, attempt: 1, text: `"lantern of ${key}"` }],
    })),
  );
  commitChunks(db, { key: 'k2', attempt: 1 }, [{ outputJson: '"streamed"', metricsJson: null }], 0);
  db.exec("UPDATE chunk_batches SET encoding = 1, data = x'00'");
  db.close();

  for (let start = 0; start < 2; start += 1) {
    const app = await openApp({ dataDir });
    await app.untilEvent('notice:added', ({ id }) => id === 'search-left-out');
    expect(await app.answer('app:info', undefined)).toMatchObject({
      notices: [
        {
          tone: 'warning',
          title: 'Could not index the text of one job for search',
          text: 'It is listed and readable, and found by title, id and tag: job k2. A newer version of Jobdeck tries again.',
        },
      ],
    });
    const found = await app.answer('job:list', {
      filter: { ...emptyFilter, text: 'lantern' },
      beforeKey: null,
      limit: 10,
    });
    expect(found.jobs.map(({ key }) => key)).toEqual(['k3', 'k1']);
    await app.close();
  }
});
