import type { Failure } from './failure.ts';
import type { Health } from './health.ts';

/** One of our jobs as a purge names it. */
export interface PurgedJob {
  key: string;
  title: string;
}

/** More jobs than anyone reads are only counted. */
export const mostPurgeNames = 200;
/** How long the purge button is held (design language: Destructive). */
export const purgeHoldMs = 1_200;
/** After a purge the next one waits (design language: Destructive; spec: Limits, 2 in 10 s). */
export const purgeLockMs = 10_000;
/** spec: Limits, purge-queue. */
export const purgesPerWindow = 2;

/**
 * Of these Jobdeck sends so many: after one it waits for the whole window, whatever its share of the limits
 * (`purgeLockMs`).
 */
export const ownPurgesPerWindow = 1;

/** What may be purged when, on one endpoint. */
export interface PurgeAllowance {
  /** Purges sent from here in the last ten seconds. */
  used: number;
  /** The service's own limit in ten seconds. */
  of: number;
  /** Until when nothing is sent; null when a purge may be sent now. */
  lockedUntilMs: number | null;
}

/** What a purge of the endpoint's queue would take now, as far as can be known. */
export interface PurgePreview {
  connectionId: string;
  endpointId: string;
  /** As last read; null when it was never read. */
  health: Pick<Health, 'atMs' | 'jobs'> | null;
  /** Why it could not be read just now; then `health` is what was known before. */
  problem: Failure | null;
  /** Our jobs that wait in the endpoint's queue: the first of them by name. */
  jobs: PurgedJob[];
  tracked: number;
  /** Ours that were not sent yet (batch rows, outbox): a purge does not touch them. */
  unsent: number;
  /** Ours that are being sent now: the service may have queued them already. */
  sending: number;
  allowance: PurgeAllowance;
}

/** How a purge ended. */
export type PurgeOutcome =
  /** The one request is in progress. */
  | { kind: 'under-way' }
  /** The service said how many it removed (spec: Purge result). */
  | { kind: 'removed'; atMs: number; removed: number }
  /** No answer, or one that does not say: it may have removed jobs. Never sent again by itself. */
  | { kind: 'unknown'; atMs: number; reason: string }
  /** The service answered that it did nothing, or nothing was sent. */
  | { kind: 'refused'; atMs: number; failure: Failure };

/** One purge that was sent from here. Times are epoch milliseconds. */
export interface Purge {
  id: string;
  connectionId: string;
  endpointId: string;
  startedAtMs: number;
  /** How many jobs waited by the health read before it; null when that was not known. */
  expected: number | null;
  outcome: PurgeOutcome;
  /** Our jobs that waited when it was sent. */
  tracked: number;
  /** Of these: found gone since, and the first of them by name. */
  purged: number;
  purgedJobs: PurgedJob[];
  /** Of these: not looked at since. */
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

/** Whether what was typed names the endpoint: its name or its id, spaces around it aside. Pure. */
export function namesEndpoint(typed: string, endpoint: { id: string; label: string }): boolean {
  const text = typed.trim();
  return text !== '' && (text === endpoint.id || text === endpoint.label.trim());
}
