import { describe, expect, it } from 'vitest';
import { createCommitQueue } from '../../../../src-main/job/store/commit-queue.ts';
import { HistoryError } from '../../../../src-main/history/history.ts';
import type { JobCommit } from '../../../../src-main/history/records.ts';
import { aJob } from '../../../kit/a-job.ts';

const change = (key: string): JobCommit => ({ job: aJob({ key }) });

describe('group commit', () => {
  it('collects changes while one transaction is written', async () => {
    const batches: string[][] = [];
    const queue = createCommitQueue(async (changes) => {
      batches.push(changes.map(({ job }) => job.key));
      await Promise.resolve();
      return changes.map(({ job }) => ({ ...job, title: `saved ${job.key}` }));
    });
    const saved = await Promise.all(['a', 'b', 'c'].map((key) => queue.commit(change(key))));
    expect(saved.map(({ title }) => title)).toEqual(['saved a', 'saved b', 'saved c']);
    expect(batches).toEqual([['a'], ['b', 'c']]);
  });

  it('keeps a transaction with large bodies short, so that chunks behind it are soon on disk', async () => {
    const batches: string[][] = [];
    const queue = createCommitQueue(async (changes) => {
      batches.push(changes.map(({ job }) => job.key));
      await Promise.resolve();
      return changes.map(({ job }) => job);
    });
    const text = 'x'.repeat(3_000_000);
    const large = (key: string): JobCommit => ({ ...change(key), bodies: [{ part: 'reply', attempt: 1, text }] });
    await Promise.all(
      ['a', 'b'].map((key) => queue.commit(change(key))).concat(['c', 'd'].map((key) => queue.commit(large(key)))),
    );
    expect(batches).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('refuses only the change that cannot be written', async () => {
    const queue = createCommitQueue(async (changes) => {
      if (changes.some(({ job }) => job.key === 'bad')) throw new Error('no');
      return changes.map(({ job }) => job);
    });
    const results = await Promise.allSettled(['a', 'b', 'bad', 'c'].map((key) => queue.commit(change(key))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    await expect(queue.commit(change('d'))).resolves.toMatchObject({ key: 'd' });
  });

  it('refuses all changes together if nothing can be written, and waits for that once', async () => {
    const asked: number[] = [];
    let isLocked = true;
    const queue = createCommitQueue(async (changes) => {
      asked.push(changes.length);
      if (isLocked) throw new HistoryError('Another program is using the history file; nothing was saved.', 'storage');
      return changes.map(({ job }) => job);
    });
    const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map((key) => queue.commit(change(key))));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
    expect(asked).toEqual([1, 3]);
    isLocked = false;
    await expect(queue.commit(change('a'))).resolves.toMatchObject({ key: 'a' });
  });
});
