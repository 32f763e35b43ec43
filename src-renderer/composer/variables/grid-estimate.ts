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
}

/**
 * Estimates the cost and duration of `jobs` from the endpoint's median run time: each worker runs one job after
 * another, and none before it was sent. `perWindow`: how many submissions may be sent in ten seconds. Pure.
 */
export function estimateGrid(
  jobs: number,
  facts: { runTimes: RunTimes | null; creditsPerHour: number | null; workers: number; perWindow: number },
): GridEstimate {
  const workers = Math.max(1, facts.workers);
  const p50Ms = facts.runTimes?.executionP50Ms ?? null;
  if (facts.runTimes === null || p50Ms === null) return { credits: null, ms: null, workers, basis: null };
  return {
    credits: facts.creditsPerHour === null ? null : creditsFor(p50Ms * jobs, facts.creditsPerHour),
    ms: Math.max(Math.ceil(jobs / workers) * p50Ms, sendingTimeMs(jobs, facts.perWindow) + p50Ms),
    workers,
    basis: { jobs: facts.runTimes.count, p50Ms },
  };
}
