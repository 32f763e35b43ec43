import { describe, expect, it } from 'vitest';
import {
  lateArrivalMs,
  noEvidence,
  weighRead,
  type RetryRead,
  type RetryVerdict,
} from '../../../../src-main/job/retry/retry-evidence.ts';
import { aJob } from '../../../kit/a-job.ts';
import { aRecord } from '../records.ts';

const job = aJob({ phase: 'finished', status: 'FAILED', delayTimeMs: 100, executionTimeMs: 2_000 });
const startMs = 1_700_000_000_000;

/** Reads one after the other, a second apart or at their `atMs`. Returns the first verdict and the reads it took. */
function verdictOf(
  reads: readonly (RetryRead & { atMs?: number })[],
  surelyAtMs = 0,
): { kind: RetryVerdict['kind'] | null; reads: number } {
  let evidence = noEvidence;
  for (const [index, { atMs = index * 1_000, ...read }] of reads.entries()) {
    const weighed = weighRead(evidence, read, { job, nowMs: startMs + atMs, surelyAtMs });
    if (weighed.verdict !== null) return { kind: weighed.verdict.kind, reads: index + 1 };
    evidence = weighed.evidence;
  }
  return { kind: null, reads: reads.length };
}

const record = (changes: Parameters<typeof aRecord>[0]): RetryRead => ({ kind: 'record', record: aRecord(changes) });
const asSaved = record({ status: 'FAILED', delayTimeMs: 100, executionTimeMs: 2_000 });
const strange = record({ status: 'WARMING', executionTimeMs: null });
const notFound: RetryRead = { kind: 'not-found' };

describe('what reads show about a retry without an answer', () => {
  it.each([
    ['it waits', record({ status: 'IN_QUEUE' }), 'retried'],
    ['it runs', record({ status: 'IN_PROGRESS' }), 'retried'],
    ['it ended differently', record({ status: 'COMPLETED', executionTimeMs: 2_000 }), 'retried'],
    ['it took another time', record({ status: 'FAILED', executionTimeMs: 1_999 }), 'retried'],
    ['it waited another time', record({ status: 'FAILED', delayTimeMs: 99, executionTimeMs: 2_000 }), 'retried'],
    ['nothing changed', asSaved, 'as-before'],
    ['it ended the same, and its times are missing', record({ status: 'FAILED', executionTimeMs: null }), 'as-before'],
    [
      'its status is unknown, with the time of the saved run',
      record({ status: 'DONE', executionTimeMs: 2_000 }),
      'as-before',
    ],
    ['its status is unknown', strange, null],
    ['the service does not know it', notFound, null],
  ] as const)('one read: %s', (_, read, kind) => {
    expect(verdictOf([read]).kind).toBe(kind);
  });

  it('an unchanged state counts only when a late retry would have arrived', () => {
    const surelyAtMs = startMs + lateArrivalMs;
    expect(verdictOf([asSaved, { ...asSaved, atMs: lateArrivalMs - 1 }], surelyAtMs).kind).toBeNull();
    expect(verdictOf([asSaved, { ...asSaved, atMs: lateArrivalMs }], surelyAtMs)).toEqual({
      kind: 'as-before',
      reads: 2,
    });
  });

  it('an unknown status is that of a new run after six reads in a row (ruling 8)', () => {
    expect(verdictOf([strange, strange, strange, strange, strange]).kind).toBeNull();
    expect(verdictOf(Array.from({ length: 9 }, () => strange))).toEqual({ kind: 'retried', reads: 6 });
    const interrupted = [strange, strange, strange, asSaved, strange, strange, strange, strange, strange];
    expect(verdictOf(interrupted, Infinity).kind).toBeNull();
  });

  it('a job that the service does not know counts after three answers over a minute (ruling 34)', () => {
    const at = (atMs: number): RetryRead & { atMs: number } => ({ ...notFound, atMs });
    expect(verdictOf([at(0), at(lateArrivalMs)]).kind).toBeNull();
    expect(verdictOf([at(0), at(1_000), at(lateArrivalMs - 1)]).kind).toBeNull();
    expect(verdictOf([at(0), at(1_000), at(lateArrivalMs)])).toEqual({ kind: 'as-before', reads: 3 });
    // Answers in between do not begin it again.
    expect(verdictOf([at(0), strange, at(1_000), at(lateArrivalMs)])).toEqual({ kind: 'as-before', reads: 4 });
  });
});
