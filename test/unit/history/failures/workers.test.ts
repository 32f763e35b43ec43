import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readCauses } from '../../../../src-main/history/failures/causes.ts';
import { sortFailures } from '../../../../src-main/history/failures/failures.ts';
import { readFailuresByWorker } from '../../../../src-main/history/failures/workers.ts';
import { commit } from '../../../../src-main/history/jobs/jobs.ts';
import type { JobCommit } from '../../../../src-main/history/records.ts';
import { aNewJob, aDatabase } from '../a-database.ts';

const hourMs = 3_600_000;
const nowMs = 100 * hourMs;

interface Failed {
  said: string;
  workerId: string | null;
  atMs: number;
  attempt?: number;
}

function failedJob(key: string, { said, workerId, atMs, attempt = 1 }: Failed): JobCommit {
  return {
    ...aNewJob({
      key,
      attempt,
      phase: 'finished',
      status: 'FAILED',
      reason: { kind: 'failed', said },
      finishedSeenAtMs: atMs,
    }),
    attempt: {
      number: attempt,
      startedAtMs: atMs,
      status: 'FAILED',
      delayTimeMs: null,
      executionTimeMs: null,
      workerId,
      errorText: said,
      hasOutput: false,
      outputBytes: 0,
      chunkCount: 0,
      finishedSeenAtMs: atMs,
    },
  };
}

function ofJobs(jobs: readonly Failed[]): DatabaseSync {
  const db = aDatabase();
  commit(
    db,
    jobs.map((job, at) => failedJob(`k${at}`, job)),
  );
  while (sortFailures(db));
  return db;
}

it('failures by worker add up to the failures by cause, for any period', () => {
  const job = fc.record({
    said: fc.constantFrom('boom', 'no key', 'limit'),
    workerId: fc.constantFrom('a', 'b', null),
    atMs: fc.integer({ min: 0, max: nowMs }),
  });
  fc.assert(
    fc.property(fc.array(job, { maxLength: 30 }), fc.integer({ min: 0, max: nowMs - 1 }), (jobs, sinceMs) => {
      const db = ofJobs(jobs);
      const { on, counted, total } = readFailuresByWorker(db, 'connection-1', sinceMs, nowMs);
      const { causes } = readCauses(db, 'connection-1', sinceMs, nowMs);
      for (const cause of causes) {
        const parts = on.filter(({ causeId }) => causeId === cause.id);
        expect(parts.reduce((sum, { jobs: some }) => sum + some, 0)).toBe(cause.jobs);
        expect(cause.trend.map((_, at) => parts.reduce((sum, { trend }) => sum + (trend[at] ?? 0), 0))).toEqual(
          cause.trend,
        );
        expect(Math.max(...parts.map(({ lastAtMs }) => lastAtMs))).toBe(cause.lastAtMs);
      }
      const all = causes.reduce((sum, { jobs: some }) => sum + some, 0);
      expect({ counted, total }).toEqual({ counted: all, total: all });
    }),
    { numRuns: 60 },
  );
});

it('a retried job belongs to the worker of its last attempt, one without a worker to none', () => {
  const db = ofJobs([
    { said: 'boom', workerId: 'a', atMs: nowMs - 3 },
    { said: 'boom', workerId: null, atMs: nowMs - 2 },
  ]);
  commit(db, [failedJob('k0', { said: 'boom', workerId: 'b', atMs: nowMs - 1, attempt: 2 })]);
  while (sortFailures(db));
  const { on } = readFailuresByWorker(db, 'connection-1', 0, nowMs);
  expect(on.map(({ workerId, jobs, lastAtMs }) => [workerId, jobs, lastAtMs])).toEqual([
    ['b', 1, nowMs - 1],
    [null, 1, nowMs - 2],
  ]);
});

it('counts only the newest of very many failures, and knows the total', () => {
  const job = (said: string, atMs: number): Failed => ({ said, workerId: atMs < nowMs - 5_000 ? 'old' : 'new', atMs });
  const db = ofJobs([
    ...Array.from({ length: 5_200 }, (_, at) => job('boom', nowMs - at)),
    ...Array.from({ length: 4 }, (_, at) => job('no key', nowMs - at)),
  ]);
  const { on, counted, total } = readFailuresByWorker(db, 'connection-1', 0, nowMs);
  expect({ counted, total }).toEqual({ counted: 2_504, total: 5_204 });
  expect(on.map(({ workerId }) => workerId)).toEqual(['new', 'new']);
  expect(readFailuresByWorker(db, 'another', 0, nowMs)).toEqual({ on: [], counted: 0, total: 0 });
});
