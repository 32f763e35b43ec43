import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeBackup } from '../../../src-main/history/backup/back-up.ts';
import type { History } from '../../../src-main/history/history.ts';
import type { JobCommit } from '../../../src-main/history/records.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import { aJob } from '../../kit/a-job.ts';
import { filesHolding } from '../../kit/secrets-in-files.ts';
import { openTestHistory } from '../../kit/threads.ts';

/** What a user entered by mistake, and then deleted. */
const secret = 'pastedByMistakeQ7xW93bZT';

/** A failed job that has the secret everywhere, also at the end of a text of many pages. None of it is compressed. */
function aLeak(key: string): JobCommit {
  return {
    job: aJob({
      key,
      phase: 'finished',
      status: 'FAILED',
      title: `title ${secret}`,
      tags: [`tag-${secret}`],
      reason: { kind: 'failed', said: `refused ${secret}` },
    }),
    submission: { inputText: `{"key":"${secret}"}`, policy: {}, webhook: null, waitMs: null, s3ProfileId: null },
    bodies: [
      { part: 'output', attempt: 1, text: JSON.stringify(`output ${secret}`) },
      { part: 'reply', attempt: 1, text: JSON.stringify(`short ${secret}`) },
    ],
    attempt: {
      number: 1,
      startedAtMs: 1,
      status: 'FAILED',
      delayTimeMs: 1,
      executionTimeMs: 1,
      workerId: secret,
      errorText: `bad key ${secret} ${'line '.repeat(9_000)} ${secret}`,
      hasOutput: true,
      outputBytes: 9,
      chunkCount: 0,
      finishedSeenAtMs: 2,
    },
  };
}

async function aHistory(): Promise<{ history: History; path: string; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-for-good-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'history.db');
  const { history } = await openTestHistory({ path, now: () => 1_000 });
  onTestFinished(() => history.close());
  for (const key of ['k1', 'k3']) await history.commit([{ job: aJob({ key, title: 'stays' }) }]);
  await history.commit([aLeak('k2')]);
  await history.writeNote('k2', `note ${secret}`);
  // By now it is in the index, and its cause is determined.
  expect((await history.list({ ...emptyFilter, text: secret }, null, 10)).jobs).toHaveLength(1);
  await history.causeOfJob('k2');
  return { history, path, folder };
}

/** What the engine does a minute after a deletion. */
async function cleanUp(history: History): Promise<void> {
  while (await history.reclaimSpace());
  await expect.poll(() => history.emptyLogs()).toBe(true);
}

const inHistory = async (folder: string): Promise<string[]> =>
  (await filesHolding(folder, [secret])).filter((name) => !name.startsWith('history-search'));

it('of a job that was deleted for good nothing is left in the files, even while Jobdeck runs', async () => {
  const { history, folder } = await aHistory();
  expect(await inHistory(folder)).not.toEqual([]);
  await history.binJob('k2');
  await cleanUp(history);
  // Now it is in the bin, and there alone.
  expect(await inHistory(folder)).toEqual(['history-bin.db']);
  await history.removeBinned(['k2']);
  await cleanUp(history);
  expect(await inHistory(folder)).toEqual([]);
  expect((await history.list(emptyFilter, null, 10)).jobs.map(({ key }) => key)).toEqual(['k3', 'k1']);
});

it('a backup contains nothing of a job that was deleted a moment before', async () => {
  const { history, path, folder } = await aHistory();
  const backUp = async (name: string): Promise<void> => {
    const target = join(folder, name);
    await writeBackup(path, target, `${target}.part`, { check: () => {}, onProgress: () => {} });
  };
  await backUp('backup-before.db');
  await history.removeJob('k2');
  await backUp('backup-after.db');
  expect((await filesHolding(folder, [secret])).filter((name) => name.startsWith('backup'))).toEqual([
    'backup-before.db',
  ]);
});
