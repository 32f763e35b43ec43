import type { Job } from '../../../src-preload/job.ts';
import { isOfStorage } from '../../history/history.ts';
import type { JobCommit } from '../../history/records.ts';

/** The most changes in one transaction: enough to share its fsync, few enough not to delay reads. */
const batchSize = 200;
/** ...and the most characters of bodies, or one change: chunks, which the service no longer has, wait behind it. */
const batchChars = 4_000_000;

/** Many changes in one transaction. */
export interface CommitQueue {
  commit(change: JobCommit): Promise<Job>;
}

/**
 * Group commit: while one transaction is being written, new changes gather for the next one. Each `commit` resolves
 * when its own change is durable. It rejects if it alone cannot be written, or if nothing can: a locked file is awaited
 * once, not once for each change.
 */
export function createCommitQueue(commitAll: (changes: JobCommit[]) => Promise<Job[]>): CommitQueue {
  interface Waiting {
    change: JobCommit;
    resolve: (job: Job) => void;
    reject: (reason: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let isRunning = false;

  async function write(batch: readonly Waiting[]): Promise<void> {
    try {
      const jobs = await commitAll(batch.map(({ change }) => change));
      batch.forEach(({ change, resolve }, index) => resolve(jobs[index] ?? change.job));
    } catch (error) {
      // One bad change must not affect the others.
      if (batch.length > 1 && !isOfStorage(error)) for (const one of batch) await write([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const count = countOfNext(waiting.map(({ change }) => change));
      const batch = waiting.slice(0, count);
      waiting = waiting.slice(count);
      await write(batch);
    }
    isRunning = false;
  }

  return {
    commit: (change) =>
      new Promise((resolve, reject) => {
        waiting.push({ change, resolve, reject });
        if (!isRunning) void run();
      }),
  };
}

/** How many of the first changes go into one transaction. */
function countOfNext(changes: readonly JobCommit[]): number {
  let chars = 0;
  const count = changes.slice(0, batchSize).findIndex((change, index) => {
    for (const { text } of change.bodies ?? []) chars += text.length;
    return index > 0 && chars > batchChars;
  });
  return count === -1 ? Math.min(changes.length, batchSize) : count;
}
