import type { Job } from '../../../src-preload/job.ts';
import type { JobRecord } from '../../service/reply.ts';
import { retryStateOf } from '../reducer/record.ts';

/**
 * A retry whose request was given up may still arrive. Its job is read for this long before the retry counts as not
 * accepted.
 */
export const lateArrivalMs = 60_000;
/** The service says that it does not know the job this many times before that counts (ruling 34). */
const minNotFound = 3;
/** How many reads in a row show a status that the specification does not have, before it is that of a new run. */
const maxStrangeReads = 6;

/** What the job's own state shows about a retry: the service accepted it, or did not. */
export type RetryVerdict = { kind: 'retried'; record: JobRecord } | { kind: 'as-before' };

/** One answer to a read of the job's status: its record, or that the service does not know the job. */
export type RetryRead = { kind: 'record'; record: JobRecord } | { kind: 'not-found' };

/** What earlier reads showed of one retry. */
export interface RetryEvidence {
  /** Reads in a row with an unknown status. */
  strangeReads: number;
  notFoundTimes: number;
  /** When the service first said that it does not know the job, in epoch milliseconds. */
  notFoundSinceMs: number;
}

/** Nothing was read yet. */
export const noEvidence: RetryEvidence = { strangeReads: 0, notFoundTimes: 0, notFoundSinceMs: 0 };

/**
 * Adds a read to the evidence. `verdict` is null while it is not decided. An unchanged state counts from `surelyAtMs`
 * on; both times are epoch milliseconds. Pure.
 */
export function weighRead(
  before: RetryEvidence,
  read: RetryRead,
  { job, nowMs, surelyAtMs }: { job: Job; nowMs: number; surelyAtMs: number },
): { evidence: RetryEvidence; verdict: RetryVerdict | null } {
  if (read.kind === 'not-found') {
    const notFoundSinceMs = before.notFoundTimes === 0 ? nowMs : before.notFoundSinceMs;
    const evidence = { ...before, notFoundTimes: before.notFoundTimes + 1, notFoundSinceMs };
    const isSure = evidence.notFoundTimes >= minNotFound && nowMs - notFoundSinceMs >= lateArrivalMs;
    return { evidence, verdict: isSure ? { kind: 'as-before' } : null };
  }
  const { record } = read;
  switch (retryStateOf(job, record)) {
    case 'retried':
      return { evidence: { ...before, strangeReads: 0 }, verdict: { kind: 'retried', record } };
    case 'as-before':
      return { evidence: { ...before, strangeReads: 0 }, verdict: nowMs >= surelyAtMs ? { kind: 'as-before' } : null };
    case 'strange': {
      // A service with its own statuses for a job in progress (ruling 8).
      const strangeReads = before.strangeReads + 1;
      const isOther = strangeReads >= maxStrangeReads;
      return { evidence: { ...before, strangeReads }, verdict: isOther ? { kind: 'retried', record } : null };
    }
  }
}
