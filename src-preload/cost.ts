import { hourMs } from './durations.ts';
import type { z } from 'zod';
import type { costLimits, rateSource } from './cost-schema.ts';
import type { Attempt, Job } from './job.ts';

/** Where a rate comes from: entered by the user, or read from a pod (spec: Pod, adjustedCostPerHr and costPerHr). */
export type RateSource = z.infer<typeof rateSource>;

/** What one worker of an endpoint costs since `sinceMs`. In credits, not a currency (design language: Numbers). */
export interface CostRate {
  /** Credits per hour and worker. Null: no rate from then on. */
  creditsPerHour: number | null;
  /** 0 for a rate that also applies to everything before. */
  sinceMs: number;
  source: RateSource;
}

/** When to notify, in credits. Null: never. */
export type CostLimits = z.infer<typeof costLimits>;

/** The saved rates and limits of an endpoint. */
export interface EndpointCost {
  connectionId: string;
  endpointId: string;
  /** Oldest first. */
  rates: CostRate[];
  limits: CostLimits;
  /** When the limits were set. Jobs that ended before are not judged by them. */
  limitsSinceMs: number;
}

/** The total cost of saved or running jobs, as far as it can be estimated. */
export interface CostSum {
  credits: number;
  executionMs: number;
  pricedJobs: number;
  /** Ended or running jobs without an execution time or a rate. */
  unpricedJobs: number;
}

/** The cost of a list. */
export interface ViewCost extends CostSum {
  /** Set if only this many of the newest matching jobs were counted. */
  newestOnly: number | null;
}

/** The costs of an endpoint, for its card. */
export interface EndpointCostSums {
  today: CostSum;
  days7: CostSum;
  days30: CostSum;
  /** Of the newest completed jobs that have a price. Null if there are none. */
  jobP50: number | null;
  jobCount: number;
}

/** What is known of a job's cost. */
export type JobCost =
  | {
      kind: 'estimate';
      credits: number;
      executionMs: number;
      creditsPerHour: number;
      isRunning: boolean;
      /** The time or rate of an attempt is not known, so the cost is at least this. */
      isPartial: boolean;
    }
  | { kind: 'no-rate' }
  | { kind: 'no-time' };

/** Credits for `executionMs` at a rate. Pure. */
export function creditsFor(executionMs: number, creditsPerHour: number): number {
  return (Math.max(0, executionMs) / hourMs) * creditsPerHour;
}

/** The rate that was valid at `atMs`, or null. `rates` oldest first. Pure. */
export function rateAt(rates: readonly CostRate[], atMs: number): number | null {
  return rates.findLast((rate) => rate.sinceMs <= atMs)?.creditsPerHour ?? null;
}

/** The rate that is valid from now on, or null. `rates` oldest first; none begins in the future. Pure. */
export function currentRate(rates: readonly CostRate[]): number | null {
  return rates.at(-1)?.creditsPerHour ?? null;
}

/** The part of an attempt that its cost depends on. */
export interface CostedAttempt {
  /** Null: unknown, or not running yet. */
  executionMs: number | null;
  /** Null: it is running, or never ran. */
  endedAtMs: number | null;
  isRunning: boolean;
}

/**
 * Estimates the cost of a job: the execution time of each attempt at the rate valid when it ended. A running attempt
 * counts with the time so far and the current rate. Pure.
 */
export function estimateCost(attempts: readonly CostedAttempt[], rates: readonly CostRate[], nowMs: number): JobCost {
  const timed = attempts.filter((attempt) => attempt.executionMs !== null);
  if (timed.length === 0) return { kind: rates.length === 0 ? 'no-rate' : 'no-time' };
  let credits = 0;
  let executionMs = 0;
  let creditsPerHour: number | null = null;
  let priced = 0;
  for (const attempt of timed) {
    const rate = rateAt(rates, attempt.endedAtMs ?? nowMs);
    if (rate === null) continue;
    priced += 1;
    creditsPerHour = rate;
    credits += creditsFor(attempt.executionMs ?? 0, rate);
    executionMs += Math.max(0, attempt.executionMs ?? 0);
  }
  if (creditsPerHour === null) return { kind: 'no-rate' };
  return {
    kind: 'estimate',
    credits,
    executionMs,
    creditsPerHour,
    isRunning: attempts.some((attempt) => attempt.isRunning),
    isPartial: priced < attempts.length,
  };
}

type CostedJob = Pick<Job, 'attempt' | 'phase' | 'startedSeenAtMs' | 'finishedSeenAtMs' | 'executionTimeMs'>;

/** The attempts of a job for `estimateCost`: the former ones as saved, and the current one from the job. Pure. */
export function attemptsOf(
  job: CostedJob,
  former: readonly Pick<Attempt, 'number' | 'executionTimeMs' | 'finishedSeenAtMs'>[],
  nowMs: number,
): CostedAttempt[] {
  const before = former
    .filter(({ number }) => number < job.attempt)
    .map((attempt): CostedAttempt => ({
      // An attempt that was cancelled or failed before it ran has no known cost, but the sum is still complete.
      executionMs: attempt.executionTimeMs,
      endedAtMs: attempt.finishedSeenAtMs,
      isRunning: false,
    }));
  return [...before, currentAttempt(job, nowMs)];
}

function currentAttempt(job: CostedJob, nowMs: number): CostedAttempt {
  const isRunning = isRunningJob(job);
  if (!isRunning) return { executionMs: job.executionTimeMs, endedAtMs: job.finishedSeenAtMs, isRunning: false };
  // A running record may have a time of its own, which is older than now.
  const elapsedMs = job.startedSeenAtMs === null ? null : Math.max(0, nowMs - job.startedSeenAtMs);
  return {
    executionMs: elapsedMs === null ? job.executionTimeMs : Math.max(elapsedMs, job.executionTimeMs ?? 0),
    endedAtMs: null,
    isRunning: true,
  };
}

/** True while a worker runs the job, as far as known. */
export function isRunningJob(job: Pick<Job, 'phase' | 'startedSeenAtMs' | 'finishedSeenAtMs'>): boolean {
  return job.phase === 'active' && job.startedSeenAtMs !== null && job.finishedSeenAtMs === null;
}

/** Adds up sums. Pure. */
export function addCosts(sums: readonly CostSum[]): CostSum {
  return sums.reduce(
    (all, one) => ({
      credits: all.credits + one.credits,
      executionMs: all.executionMs + one.executionMs,
      pricedJobs: all.pricedJobs + one.pricedJobs,
      unpricedJobs: all.unpricedJobs + one.unpricedJobs,
    }),
    noCost,
  );
}

export const noCost: CostSum = { credits: 0, executionMs: 0, pricedJobs: 0, unpricedJobs: 0 };
