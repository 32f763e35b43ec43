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
  | 'retention';

/** One move of one job. `from` is null at submission, `to` is REMOVED when the record is gone. */
export interface Transition {
  atMs: number;
  endpointId: string;
  jobId: string;
  from: JobStatus | null;
  to: JobStatus | 'REMOVED';
  cause: TransitionCause;
}

export interface TransitionLog {
  add(transition: Transition): void;
  all(): Transition[];
}

/** Bounded, so that a sandbox left running for weeks stays the same size. */
const KEPT_TRANSITIONS = 50_000;

/** The moves of all jobs in the order they happened; the oldest are forgotten beyond 50,000. */
export function createTransitionLog(): TransitionLog {
  let transitions: Transition[] = [];
  return {
    add: (transition) => {
      transitions.push(transition);
      if (transitions.length >= 2 * KEPT_TRANSITIONS) transitions = transitions.slice(-KEPT_TRANSITIONS);
    },
    all: () => transitions.slice(-KEPT_TRANSITIONS),
  };
}
