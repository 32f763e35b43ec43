import type { Failure } from './failure.ts';
import type { Health } from './health.ts';

/** One of our jobs, named by a purge. */
export interface PurgedJob {
  key: string;
  title: string;
}

/** Further jobs are only counted. */
export const maxPurgeNames = 200;
/** How long the purge button is held (design language: Destructive). */
export const purgeHoldMs = 1_200;
/** A purge locks the next one for this time (design language: Destructive; spec: Limits, 2 in 10 s). */
export const purgeLockMs = 10_000;
/** spec: Limits, purge-queue. */
export const purgesPerWindow = 2;

/**
 * How many of these Jobdeck sends: after one it waits for the whole window, whatever its share of the limits
 * (`purgeLockMs`).
 */
export const ownPurgesPerWindow = 1;

/** When an endpoint may be purged. */
export interface PurgeAllowance {
  /** Purges sent from here in the last ten seconds. */
  used: number;
  /** The service's own limit per ten seconds. */
  of: number;
  /** Until when no purge is sent. Null if one may be sent now. */
  lockedUntilMs: number | null;
}

/** What a purge of the endpoint's queue would remove now, as far as known. */
export interface PurgePreview {
  connectionId: string;
  endpointId: string;
  /** As last read. Null if it was never read. */
  health: Pick<Health, 'atMs' | 'jobs'> | null;
  /** Why it could not be read just now. `health` is then what was known before. */
  problem: Failure | null;
  /** Our jobs in the endpoint's queue: the first of them by name. */
  jobs: PurgedJob[];
  tracked: number;
  /** Our jobs that were not sent yet (batch rows, outbox). A purge does not affect them. */
  unsent: number;
  /** Our jobs that are being sent now. The service may have queued them already. */
  sending: number;
  allowance: PurgeAllowance;
}

/** How a purge ended. */
export type PurgeOutcome =
  /** The one request is in progress. */
  | { kind: 'under-way' }
  /** The service said how many it removed (spec: Purge result). */
  | { kind: 'removed'; atMs: number; removed: number }
  /** There was no answer, or one without a number: it may have removed jobs. It is never repeated automatically. */
  | { kind: 'unknown'; atMs: number; reason: string }
  /** The service answered that it did nothing, or nothing was sent. */
  | { kind: 'refused'; atMs: number; failure: Failure };

/** One purge that was sent from here. Times are epoch milliseconds. */
export interface Purge {
  id: string;
  connectionId: string;
  endpointId: string;
  startedAtMs: number;
  /** How many jobs waited by the health read before it. Null if that was not known. */
  expected: number | null;
  outcome: PurgeOutcome;
  /** Our jobs that were waiting when it was sent. */
  tracked: number;
  /** How many of them are gone since, and the first of these by name. */
  purged: number;
  purgedJobs: PurgedJob[];
  /** How many of them were not read since. */
  undecided: number;
  /** Purged ones whose inputs were submitted again. */
  submittedAgain: number;
  /** The user has read what it came to. */
  isDismissed: boolean;
}

/** The purges of an endpoint, newest first, and when the next may be sent. */
export interface PurgeLog {
  purges: Purge[];
  allowance: PurgeAllowance;
}

/** Whether the entered text names the endpoint: its name or its id, ignoring spaces around it. Pure. */
export function namesEndpoint(typed: string, endpoint: { id: string; label: string }): boolean {
  const text = typed.trim();
  return text !== '' && (text === endpoint.id || text === endpoint.label.trim());
}
