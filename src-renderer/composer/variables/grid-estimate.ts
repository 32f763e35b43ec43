import { sendingTimeMs } from '../../../src-preload/batch.ts';
import { creditsFor } from '../../../src-preload/cost.ts';
import type { RunTimes } from '../../../src-preload/history.ts';

/** The probable cost and duration of jobs. Null: not known. */
export interface GridEstimate {
  credits: number | null;
  ms: number | null;
  workers: number;
  /** The finished jobs that it is computed from. */
  basis: { jobs: number; p50Ms: number } | null;
  /** Why something is not known. */
  missing: readonly MissingFact[];
}

/** What an estimate lacks: something that was not read (lately), or that does not exist. */
type MissingFact = 'run-times-unread' | 'no-finished-job' | 'rate-unread' | 'no-rate' | 'workers-unread';

/** What an estimate is made of. Undefined: not read. */
export interface EstimateFacts {
  /** Null: no job of the endpoint has finished. */
  runTimes: RunTimes | null | undefined;
  /** Null: it has no rate. */
  creditsPerHour: number | null | undefined;
  /** By a reading that still says something about now. */
  workers: number | undefined;
  /** How many may be in progress at the same time. Null: any number. */
  maxLive: number | null;
  /** How many submissions may be sent in ten seconds. */
  perWindow: number;
}

/**
 * Estimates the cost and duration of `jobs` from the endpoint's median run time: each worker runs one job after
 * another, and none before it was sent. Pure.
 */
export function estimateGrid(jobs: number, facts: EstimateFacts): GridEstimate {
  const { runTimes, creditsPerHour } = facts;
  const workers = Math.max(1, Math.min(facts.workers ?? 1, facts.maxLive ?? Infinity));
  const p50Ms = runTimes?.executionP50Ms ?? null;
  if (runTimes == null || p50Ms === null)
    return {
      credits: null,
      ms: null,
      workers,
      basis: null,
      missing: [runTimes === undefined ? 'run-times-unread' : 'no-finished-job'],
    };
  return {
    credits: creditsPerHour == null ? null : creditsFor(p50Ms * jobs, creditsPerHour),
    ms:
      facts.workers === undefined
        ? null
        : Math.max(Math.ceil(jobs / workers) * p50Ms, sendingTimeMs(jobs, facts.perWindow) + p50Ms),
    workers,
    basis: { jobs: runTimes.count, p50Ms },
    missing: [
      ...(creditsPerHour === undefined ? (['rate-unread'] as const) : []),
      ...(creditsPerHour === null ? (['no-rate'] as const) : []),
      ...(facts.workers === undefined ? (['workers-unread'] as const) : []),
    ],
  };
}
