import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src-main/history/file/open.ts';
import { readAttempts } from '../../../src-main/history/jobs/attempts.ts';
import { inputBody, readBody } from '../../../src-main/history/jobs/bodies.ts';
import { judge, writeNote } from '../../../src-main/history/jobs/judgements.ts';
import { commit, findJob, requireJob } from '../../../src-main/history/jobs/jobs.ts';
import { commitChunks } from '../../../src-main/history/jobs/streams.ts';
import { listJobs } from '../../../src-main/history/list/list.ts';
import type { JobCommit } from '../../../src-main/history/records.ts';
import { SearchIndexer } from '../../../src-main/history/search/indexer.ts';
import {
  countForgettable,
  forgetBodies,
  type CountedSoFar,
  type EndedPlace,
  type ForgetOrder,
} from '../../../src-main/history/storage/forget.ts';
import { compact, reclaimSpace, measureStorage, usedBytesWithIndex } from '../../../src-main/history/storage/usage.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import type { Job } from '../../../src-preload/job.ts';
import { allowedActions } from '../../../src-preload/job-actions.ts';
import type { Forgettable } from '../../../src-preload/storage.ts';
import { aJob } from '../../kit/a-job.ts';
import { aDatabase, aFolder, bodiesBesideTheirRows } from './a-database.ts';

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

function olderThan(tooOldMs: number, areInputsDeleted = false): ForgetOrder {
  return { tooOldMs, areInputsDeleted, size: null, excludedSpans: [] };
}

function carryOut(db: ReturnType<typeof aDatabase>, order: ForgetOrder): Job[] {
  const forgotten: Job[] = [];
  let after: EndedPlace | null = null;
  do {
    const step: ReturnType<typeof forgetBodies> = forgetBodies(db, order, after, 9_000);
    forgotten.push(...step.forgotten);
    after = step.next;
  } while (after !== null);
  return forgotten;
}

function forgetAll(db: ReturnType<typeof aDatabase>, tooOldMs: number): Job[] {
  return carryOut(db, olderThan(tooOldMs));
}

function countAll(db: ReturnType<typeof aDatabase>, order: ForgetOrder): Forgettable {
  let step: CountedSoFar = countForgettable(db, order, null);
  while (!step.isDone) step = countForgettable(db, order, step);
  return step.would;
}

describe('the retention rule', () => {
  it('deletes outputs and streams of jobs that ended before, and nothing else of them', () => {
    const db = aDatabase();
    commit(db, [ended('k1', 100), ended('k2', 200), ended('k3', 100, { isStarred: true })]);
    commit(db, [ended('k4', 100, { phase: 'active', status: 'COMPLETED' })]);
    commitChunks(db, { key: 'k1', attempt: 1 }, [{ outputJson: '"plum"', metricsJson: null }], 0);
    const indexer = new SearchIndexer(db);
    indexer.beforeSearch(0);

    commit(db, [ended('k5', 100), ended('k6', 100), ended('k7', 100)]);
    judge(db, 'k5', { mark: 1 });
    judge(db, 'k6', { label: 'cat' });
    writeNote(db, 'k7', 'the best so far');

    expect(countAll(db, olderThan(200)).jobs).toBe(1);
    expect(forgetAll(db, 200).map(({ key }) => key)).toEqual(['k1']);
    expect(countAll(db, olderThan(200))).toMatchObject({ jobs: 0, freedBytes: 0 });

    const { id, job } = requireJob(db, 'k1');
    expect(job).toMatchObject({ outputForgottenAtMs: 9_000, chunkCount: 0, status: 'COMPLETED' });
    expect(readBody(db, id, { part: 'output', attempt: 1 })).toBeNull();
    expect(readBody(db, id, inputBody)?.text).toContain('pear');
    expect(readAttempts(db, id)).toMatchObject([{ hasOutput: false, chunkCount: 0, executionTimeMs: 2 }]);
    for (const key of ['k2', 'k3', 'k4', 'k5', 'k6', 'k7'])
      expect(readBody(db, requireJob(db, key).id, { part: 'output', attempt: 1 })?.bytes).toBeGreaterThan(20_000);

    // Its words are found no more, its input still is.

    indexer.beforeSearch(1);
    const found = (text: string) =>
      listJobs(db, { ...emptyFilter, text }, { limit: 10, startOfTodayMs: 0 }).jobs.map(({ key }) => key);
    expect(found('plum ')).toEqual(['k7', 'k6', 'k5', 'k4', 'k3', 'k2']);
    expect(found('pear ')).toContain('k1');
  });

  it('continues where it stopped among jobs that ended at the same moment, and ends', () => {
    const db = aDatabase();
    commit(
      db,
      Array.from({ length: 230 }, (_, at) => ended(`k${String(at).padStart(3, '0')}`, 100)),
    );
    expect(new Set(forgetAll(db, 101).map(({ key }) => key)).size).toBe(230);
    expect(forgetAll(db, 101)).toEqual([]);
  });

  it('keeps outputs deleted when the engine writes the job again, until a new attempt begins', () => {
    const db = aDatabase();
    const [inserted] = commit(db, [ended('k1', 100)]);
    forgetAll(db, 200);
    if (inserted === undefined) throw new Error('Nothing was kept.');
    commit(db, [{ job: { ...inserted, statusReadAtMs: 77 } }]);
    expect(findJob(db, 'k1')?.job).toMatchObject({ statusReadAtMs: 77, outputForgottenAtMs: 9_000 });
    commit(db, [{ job: { ...inserted, attempt: 2 } }]);
    expect(findJob(db, 'k1')?.job.outputForgottenAtMs).toBeUndefined();
  });
});

it('jobs that ended while the clock was doubted stay, even with a size limit', () => {
  const db = aDatabase();
  commit(db, [ended('k1', 100), ended('k2', 200), ended('k3', 300)]);
  const excludedSpans = [{ fromMs: 150, toMs: 200 }];
  const order = { tooOldMs: 250, areInputsDeleted: false, size: { maxBytes: 1, beforeMs: 1_000 }, excludedSpans };
  expect(countAll(db, order).jobs).toBe(2);
  expect(carryOut(db, order).map(({ key }) => key)).toEqual(['k1', 'k3']);
});

describe('inputs', () => {
  it('are deleted if the rule says so, even of jobs whose output is already gone, and the job says why', () => {
    const db = aDatabase();
    commit(db, [ended('k1', 100), ended('k2', 100, { isStarred: true })]);
    forgetAll(db, 200);
    expect(countAll(db, olderThan(200, true)).jobs).toBe(1);
    const [job] = carryOut(db, olderThan(200, true));
    expect(job).toMatchObject({ key: 'k1', outputForgottenAtMs: 9_000, inputForgottenAtMs: 9_000, title: 'A job' });
    expect(readBody(db, requireJob(db, 'k1').id, inputBody)).toBeNull();
    expect(readBody(db, requireJob(db, 'k2').id, inputBody)?.text).toContain('pear');
    expect(carryOut(db, olderThan(200, true))).toEqual([]);
    if (job === undefined) throw new Error('Nothing was deleted.');
    expect(allowedActions(job, 0).resubmit).toEqual({
      isAllowed: false,
      reason: 'Your retention rule deleted its input on 1 January 1970',
    });
    // A retry gets a new output; the input stays deleted.
    commit(db, [{ job: { ...job, attempt: 2 } }]);
    const retried = findJob(db, 'k1')?.job;
    expect([retried?.outputForgottenAtMs, retried?.inputForgottenAtMs]).toEqual([undefined, 9_000]);
  });

  it('are counted and deleted wherever their text is: in their rows, in pieces, and as a former version saved them', () => {
    const db = aDatabase();
    const bytesOf = (hex: number): number => hex * 2 + 2;
    const output = (bytes: number): NonNullable<JobCommit['bodies']> => [
      { part: 'output', attempt: 1, text: JSON.stringify(randomBytes(bytes).toString('hex')) },
    ];
    commit(db, [{ ...ended('k1', 100), bodies: output(1_500) }]);
    bodiesBesideTheirRows(db);
    commit(db, [
      { ...ended('k2', 100), bodies: output(1_000) },
      { ...ended('k3', 100), bodies: output(800_000) },
    ]);
    const { encoding } = db.prepare('SELECT max(encoding) AS encoding FROM body_pieces').get() ?? {};
    const before = usedBytesWithIndex(db);
    const would = countAll(db, olderThan(200));
    expect(would.jobs).toBe(3);
    // Hex digits of the long one are compressed to half.
    expect(encoding).toBe(1);
    expect(would.freedBytes).toBeGreaterThan(bytesOf(1_500) + bytesOf(1_000) + 800_000);
    expect(would.freedBytes).toBeLessThan(bytesOf(1_500) + bytesOf(1_000) + 1_000_000);
    expect(carryOut(db, olderThan(200))).toHaveLength(3);
    expect(before - usedBytesWithIndex(db)).toBeGreaterThan(800_000);
    expect(db.prepare("SELECT count(*) AS rows FROM bodies WHERE part = 'output'").get()).toEqual({ rows: 0 });
    expect(db.prepare('SELECT count(*) AS pieces FROM body_pieces').get()).toEqual({ pieces: 1 });
    expect(readBody(db, requireJob(db, 'k1').id, inputBody)?.text).toBe('{"prompt":"pear"}');
  });

  it('of a job whose retry waits to be sent stay', () => {
    const db = aDatabase();
    commit(db, [ended('k1', 100, { status: 'FAILED', retryRequestedAtMs: 150 })]);
    expect(carryOut(db, olderThan(200, true))).toEqual([]);
  });
});

describe('a size limit', () => {
  const keep = fc.record({
    endedAtMs: fc.integer({ min: 1, max: 30 }),
    isStarred: fc.boolean(),
    kilobytes: fc.integer({ min: 1, max: 60 }),
  });

  it('deletes the oldest first, no more than needed, as previewed, and nothing that the user marked', () => {
    fc.assert(
      fc.property(
        fc.array(keep, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 1, max: 31 }),
        (jobs, lessKilobytes, beforeMs) => {
          const db = aDatabase();
          for (const [at, { endedAtMs, isStarred, kilobytes }] of jobs.entries()) {
            // Incompressible, so that what lies in the file is what was given.
            const text = JSON.stringify(randomBytes(kilobytes * 500).toString('hex'));
            const job = ended(`k${String(at + 10)}`, endedAtMs, { isStarred, outputBytes: text.length });
            commit(db, [{ ...job, bodies: [{ part: 'output', attempt: 1, text }] }]);
          }
          const beforeBytes = usedBytesWithIndex(db);
          const maxBytes = beforeBytes - lessKilobytes * 1_000;
          const order = { tooOldMs: null, areInputsDeleted: false, size: { maxBytes, beforeMs }, excludedSpans: [] };
          const would = countAll(db, order);
          const gone = carryOut(db, order);
          const left = jobs
            .map((job, at) => ({ ...job, key: `k${String(at + 10)}` }))
            .filter(({ isStarred, endedAtMs, key }) => {
              return !isStarred && endedAtMs < beforeMs && gone.every((other) => other.key !== key);
            });
          const newestGoneMs = Math.max(0, ...gone.map((job) => job.finishedSeenAtMs ?? 0));
          expect(gone.every((job) => !job.isStarred && (job.finishedSeenAtMs ?? 0) < beforeMs)).toBe(true);
          expect(left.every(({ endedAtMs }) => endedAtMs >= newestGoneMs)).toBe(true);
          if (left.length > 0) expect(usedBytesWithIndex(db)).toBeLessThanOrEqual(maxBytes);
          if (lessKilobytes === 0) expect(gone).toEqual([]);
          // Whole pages are freed, and each text ends within one. What was shown may be off by that, and by one job.
          const pageBytes = Number(db.prepare('PRAGMA page_size').get()?.['page_size']);
          const freedBytes = beforeBytes - usedBytesWithIndex(db);
          const allowance = 61_000 + (gone.length + 1) * pageBytes;
          expect(Math.abs(would.freedBytes - freedBytes)).toBeLessThanOrEqual(allowance);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('applies after the age, and both count once', () => {
    const db = aDatabase();
    commit(db, [ended('k1', 100), ended('k2', 300), ended('k3', 400)]);
    const order = { tooOldMs: 200, areInputsDeleted: false, size: { maxBytes: 1, beforeMs: 350 }, excludedSpans: [] };
    expect(countAll(db, order).jobs).toBe(2);
    expect(carryOut(db, order).map(({ key }) => key)).toEqual(['k1', 'k2']);
  });
});

describe('the space of the file', () => {
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

  it('has a total that contains what was saved while its parts were measured', () => {
    const db = aDatabase();
    filled(db);
    let step = measureStorage(db, null);
    // These come after the first step, which read the bodies.
    const texts = Array.from({ length: 40 }, (_, at) => ({ key: `m${at + 10}`, text: 'x'.repeat(200_000) + at }));
    for (const { key, text } of texts)
      commit(db, [{ ...ended(key, 100), bodies: [{ part: 'output', attempt: 1, text }] }]);
    while (!step.isDone) step = measureStorage(db, step);
    const now = { used: usedBytesWithIndex(db), free: step.use.freeBytes };
    expect(step.use.totalBytes).toBe(now.used + now.free);
  });

  it('is returned to the disk once outputs are deleted', () => {
    const path = join(aFolder(), 'history.db');
    const db = opened(path);
    filled(db);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const before = statSync(path).size;
    forgetAll(db, 200);
    while (reclaimSpace(db));
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(statSync(path).size).toBeLessThan(before / 2);
  });

  it('is returned from a file of a former version once that was compacted', () => {
    const path = join(aFolder(), 'history.db');
    const db = opened(path);
    db.exec('PRAGMA auto_vacuum = NONE; VACUUM');
    filled(db);
    forgetAll(db, 200);
    expect(reclaimSpace(db)).toBe(false);
    const { beforeBytes, afterBytes } = compact(db);
    expect(afterBytes).toBeLessThan(beforeBytes / 2);
    expect(measureStorage(db, null).use.isGivenBack).toBe(true);
    expect(findJob(db, 'k10')?.job.outputForgottenAtMs).toBe(9_000);
  });
});
