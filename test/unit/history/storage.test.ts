import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src-main/history/file/open.ts';
import { readAttempts, readBody } from '../../../src-main/history/jobs/job-details.ts';
import { judge, writeNote } from '../../../src-main/history/jobs/judgements.ts';
import { commit, findJob, requireJob } from '../../../src-main/history/jobs/jobs.ts';
import { commitChunks } from '../../../src-main/history/jobs/streams.ts';
import { listJobs } from '../../../src-main/history/list/list.ts';
import type { JobCommit } from '../../../src-main/history/records.ts';
import { SearchIndexer } from '../../../src-main/history/search/indexer.ts';
import { countForgettable, forgetOutputs, type EndedPlace } from '../../../src-main/history/storage/forget.ts';
import { compact, giveBack, measureStorage } from '../../../src-main/history/storage/use.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import type { Job } from '../../../src-preload/job.ts';
import { aJob } from '../../kit/a-job.ts';
import { aDatabase, aFolder } from './a-database.ts';

/** A job that ended then, with an output and a stream. */
function ended(key: string, endedAtMs: number, more: Partial<Job> = {}): JobCommit {
  const output = JSON.stringify({ text: `plum ${'x'.repeat(20_000)} ${Math.PI * endedAtMs}` });
  return {
    job: aJob({
      key,
      phase: 'finished',
      status: 'COMPLETED',
      finishedSeenAtMs: endedAtMs,
      outputBytes: output.length,
      ...more,
    }),
    submission: { inputText: '{"prompt":"pear"}', policy: {}, webhook: null, waitMs: null, s3ProfileId: null },
    attempt: {
      number: 1,
      startedAtMs: 0,
      status: 'COMPLETED',
      delayTimeMs: 1,
      executionTimeMs: 2,
      workerId: null,
      errorText: null,
      hasOutput: true,
      outputBytes: output.length,
      chunkCount: 0,
      finishedSeenAtMs: endedAtMs,
    },
    bodies: [{ part: 'output', attempt: 1, text: output }],
  };
}

function forgetAll(db: ReturnType<typeof aDatabase>, beforeMs: number): Job[] {
  const forgotten: Job[] = [];
  let after: EndedPlace | null = null;
  do {
    const step: ReturnType<typeof forgetOutputs> = forgetOutputs(db, beforeMs, after, 9_000);
    forgotten.push(...step.forgotten);
    after = step.next;
  } while (after !== null);
  return forgotten;
}

describe('the retention rule', () => {
  it('takes outputs and streams of jobs that ended before, and nothing else of them', () => {
    const db = aDatabase();
    commit(db, [ended('k1', 100), ended('k2', 200), ended('k3', 100, { isStarred: true })]);
    commit(db, [ended('k4', 100, { phase: 'active', status: 'COMPLETED' })]);
    commitChunks(db, 'k1', 1, [{ outputJson: '"plum"', metricsJson: null }], 0);
    const indexer = new SearchIndexer(db);
    indexer.beforeSearch(0);

    commit(db, [ended('k5', 100), ended('k6', 100), ended('k7', 100)]);
    judge(db, 'k5', { mark: 1 });
    judge(db, 'k6', { label: 'cat' });
    writeNote(db, 'k7', 'the best so far');

    expect(countForgettable(db, 200, null)).toMatchObject({ jobs: 1, next: null });
    expect(forgetAll(db, 200).map(({ key }) => key)).toEqual(['k1']);
    expect(countForgettable(db, 200, null)).toMatchObject({ jobs: 0, outputBytes: 0 });

    const { id, job } = requireJob(db, 'k1');
    expect(job).toMatchObject({ outputForgottenAtMs: 9_000, chunkCount: 0, status: 'COMPLETED' });
    expect(readBody(db, id, 'output', 1, null)).toBeNull();
    expect(readBody(db, id, 'input', 0, null)?.text).toContain('pear');
    expect(readAttempts(db, id)).toMatchObject([{ hasOutput: false, chunkCount: 0, executionTimeMs: 2 }]);
    for (const key of ['k2', 'k3', 'k4', 'k5', 'k6', 'k7'])
      expect(readBody(db, requireJob(db, key).id, 'output', 1, null)?.bytes).toBeGreaterThan(20_000);

    // Its words are found no more, its input still is.

    indexer.beforeSearch(1);
    const found = (text: string) => listJobs(db, { ...emptyFilter, text }, null, 10, 0).jobs.map(({ key }) => key);
    expect(found('plum ')).toEqual(['k7', 'k6', 'k5', 'k4', 'k3', 'k2']);
    expect(found('pear ')).toContain('k1');
  });

  it('goes on where it stopped among jobs that ended in the same moment, and ends', () => {
    const db = aDatabase();
    commit(
      db,
      Array.from({ length: 230 }, (_, at) => ended(`k${String(at).padStart(3, '0')}`, 100)),
    );
    expect(new Set(forgetAll(db, 101).map(({ key }) => key)).size).toBe(230);
    expect(forgetAll(db, 101)).toEqual([]);
  });

  it('stays true when the engine writes the job again, until a new attempt begins', () => {
    const db = aDatabase();
    const [born] = commit(db, [ended('k1', 100)]);
    forgetAll(db, 200);
    if (born === undefined) throw new Error('Nothing was kept.');
    commit(db, [{ job: { ...born, lastCheckedAtMs: 77 } }]);
    expect(findJob(db, 'k1')?.job).toMatchObject({ lastCheckedAtMs: 77, outputForgottenAtMs: 9_000 });
    commit(db, [{ job: { ...born, attempt: 2 } }]);
    expect(findJob(db, 'k1')?.job.outputForgottenAtMs).toBeUndefined();
  });
});

describe('the room of the file', () => {
  const opened = (path: string) => {
    const { db } = openDatabase(path, 0);
    onTestFinished(() => {
      if (db.isOpen) db.close();
    });
    return db;
  };
  const filled = (db: ReturnType<typeof aDatabase>): void => {
    for (let at = 0; at < 40; at += 1) {
      const text = JSON.stringify(Array.from({ length: 4_000 }, (_, n) => Math.sin(n * (at + 1))));
      commit(db, [{ ...ended(`k${at + 10}`, 100), bodies: [{ part: 'output', attempt: 1, text }] }]);
    }
  };

  it('is measured part by part, and no part is counted twice', () => {
    const db = aDatabase();
    filled(db);
    new SearchIndexer(db).beforeSearch(0);
    let step = measureStorage(db, null);
    while (!step.isDone) step = measureStorage(db, step);
    const { use } = step;
    expect(use.bodyBytes).toBeGreaterThan(500_000);
    expect(use.indexBytes).toBeGreaterThan(10_000);
    expect(use.bodyBytes + use.indexBytes + use.streamBytes + use.freeBytes).toBeLessThanOrEqual(use.totalBytes);
    expect(use.isGivenBack).toBe(true);
  });

  it('goes back to the disk once outputs are deleted', () => {
    const path = join(aFolder(), 'history.db');
    const db = opened(path);
    filled(db);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const before = statSync(path).size;
    forgetAll(db, 200);
    while (giveBack(db));
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(statSync(path).size).toBeLessThan(before / 2);
  });

  it('goes back from a file of a former version once that was compacted', () => {
    const path = join(aFolder(), 'history.db');
    const db = opened(path);
    db.exec('PRAGMA auto_vacuum = NONE; VACUUM');
    filled(db);
    forgetAll(db, 200);
    expect(giveBack(db)).toBe(false);
    const { beforeBytes, afterBytes } = compact(db);
    expect(afterBytes).toBeLessThan(beforeBytes / 2);
    expect(measureStorage(db, null).use.isGivenBack).toBe(true);
    expect(findJob(db, 'k10')?.job.outputForgottenAtMs).toBe(9_000);
  });
});
