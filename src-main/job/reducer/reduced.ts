import type { Attempt, Job } from '../../../src-preload/job.ts';
import { isTerminalStatus } from '../../../src-preload/job.ts';
import type { JobReason } from '../../../src-preload/job-reason.ts';
import type { BodyToKeep } from '../../history/records.ts';
import type { JobState } from './job-event.ts';

/** What an event made of a job, and what has to be committed with it. */
export interface Reduced extends JobState {
  /** False when there is nothing to commit: at most `lastCheckedAtMs` moved. */
  isChanged: boolean;
  bodies: BodyToKeep[];
  /** What is worth a line in the log, such as news that came too late. */
  log: string | null;
}

/** Nothing to commit. */
export function same(state: JobState, log: string | null = null): Reduced {
  return { job: state.job, attempt: state.attempt, isChanged: false, bodies: [], log };
}

/** These fields of the job and its attempt, and these bodies, are to be committed. */
export function changed(
  state: JobState,
  job: Partial<Job>,
  attempt: Partial<Attempt> = {},
  bodies: BodyToKeep[] = [],
  log: string | null = null,
): Reduced {
  return { job: { ...state.job, ...job }, attempt: { ...state.attempt, ...attempt }, isChanged: true, bodies, log };
}

/** A change only when a field really differs: most status reads find a job as it was. */
export function changedIfDiffers(state: JobState, job: Partial<Job>, attempt: Partial<Attempt> = {}): Reduced {
  const isReasonKept = job.reason !== undefined && isSameReason(job.reason, state.job.reason);
  const result = changed(state, isReasonKept ? { ...job, reason: state.job.reason } : job, attempt);
  return { ...result, isChanged: differs(state.job, result.job) || differs(state.attempt, result.attempt) };
}

/** The job without these of its optional fields. */
export function without(
  job: Job,
  ...fields: ('notKnown' | 'pendingStream' | 'unreadReply' | 'retryAskedAtMs' | 'formerStartsAtMs')[]
): Job {
  const left = { ...job };
  for (const field of fields) delete left[field];
  return left;
}

/**
 * When the last answered status read left. Answers may come out of order: one that was asked for before this knows
 * nothing later.
 */
export function lastStatusReadMs({ lastCheckedAtMs }: Pick<Job, 'lastCheckedAtMs'>): number {
  return lastCheckedAtMs ?? -Infinity;
}

/** Bodies to commit for a raw reply that is kept beside the job. */
export function replyBody(job: Pick<Job, 'attempt'>, text: string | null): BodyToKeep[] {
  return text === null ? [] : [{ part: 'reply', attempt: job.attempt, text }];
}

/** True when the final record is on disk, and only the stream may still hold something (ruling 2). */
export function isSettling({ phase, status }: Pick<Job, 'phase' | 'status'>): boolean {
  return phase === 'active' && status !== null && isTerminalStatus(status);
}

function isSameReason(one: JobReason | null, other: JobReason | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function differs<T extends object>(before: T, after: T): boolean {
  for (const key in after) if (before[key] !== after[key]) return true;
  return false;
}
