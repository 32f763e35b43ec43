import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { isOfStorage } from '../../../src-main/history/history.ts';
import { openHistory } from '../../../src-main/history/open-history.ts';
import { createCommitQueue } from '../../../src-main/job/store/commit-queue.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import { aJob } from '../../kit/a-job.ts';

it('a file locked by another connection makes a batch of changes wait once, and reads not at all', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-locked-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'history.db');
  const { history } = await openHistory({ path, now: Date.now });
  onTestFinished(() => history.close());
  await history.commit([{ job: aJob({ key: 'k0' }) }]);
  const other = new DatabaseSync(path, { timeout: 5_000 });
  onTestFinished(() => other.close());
  other.exec('BEGIN IMMEDIATE');

  const commits: number[] = [];
  const queue = createCommitQueue((of) => {
    commits.push(of.length);
    return history.commit(of);
  });
  const changes = Array.from({ length: 20 }, (_, at) => queue.commit({ job: aJob({ key: `k${at + 1}` }) }));
  const reading = history.list(emptyFilter, null, 10);
  const settled = await Promise.allSettled(changes);
  // The first change alone, then all that came meanwhile: each of the two waits for the lock once.
  expect(commits).toEqual([1, 19]);
  expect(settled.every((each) => each.status === 'rejected' && isOfStorage(each.reason))).toBe(true);
  expect((await reading).jobs.map(({ key }) => key)).toEqual(['k0']);

  other.exec('ROLLBACK');
  await expect(queue.commit({ job: aJob({ key: 'k1' }) })).resolves.toMatchObject({ key: 'k1' });
  await expect(history.appendChunks('absent', 1, [{ outputJson: '1', metricsJson: null }], 0)).rejects.toSatisfy(
    (error) => !isOfStorage(error),
  );
});
