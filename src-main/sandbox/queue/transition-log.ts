import type { JobStatus } from './job-record.ts';

/** Why a job moved. */
export type TransitionCause =
  | 'submitted'
  | 'worker free'
  | 'handler done'
  | 'handler failed'
  | 'worker crashed'
  | 'executionTimeout'
  | 'cancel'
  | 'retry'
  | 'purge-queue'
  | 'ttl'
  | 'retention'
  /** The sandbox was started again with a state file that had the job running. */
  | 'restarted';

/** One move of one job. `from` is null at submission, `to` is REMOVED when the record is gone. */
export interface Transition {
  /** Counts all moves since the start, from 1. */
  seq: number;
  atMs: number;
  endpointId: string;
  jobId: string;
  from: JobStatus | null;
  to: JobStatus | 'REMOVED';
  cause: TransitionCause;
}

export interface TransitionLog {
  add(transition: Omit<Transition, 'seq'>): void;
  all(): Transition[];
  /** The moves after the one numbered `seq`; 0 gives all that are kept. */
  since(seq: number): Transition[];
}

/** Bounded, so that a sandbox left running for weeks stays the same size. */
const KEPT_TRANSITIONS = 50_000;

/** The moves of all jobs in the order they happened; the oldest are forgotten beyond 50,000. */
export function createTransitionLog(): TransitionLog {
  let transitions: Transition[] = [];
  let lastSeq = 0;

  function since(seq: number): Transition[] {
    const newCount = Math.min(KEPT_TRANSITIONS, transitions.length, Math.max(0, lastSeq - seq));
    return transitions.slice(transitions.length - newCount);
  }

  return {
    add: ({ atMs, endpointId, jobId, from, to, cause }) => {
      lastSeq += 1;
      transitions.push({ seq: lastSeq, atMs, endpointId, jobId, from, to, cause });
      if (transitions.length >= 2 * KEPT_TRANSITIONS) transitions = transitions.slice(-KEPT_TRANSITIONS);
    },
    all: () => since(0),
    since,
  };
}
