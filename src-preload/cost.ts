import { hourMs } from './durations.ts';
import type { z } from 'zod';
import type { costLimits, rateSource } from './cost-schema.ts';
import type { Attempt, Job } from './job.ts';

/** Where a rate came from: typed, or read from a pod (spec: Pod, adjustedCostPerHr and costPerHr). */
export type RateSource = z.infer<typeof rateSource>;

/** What one worker of an endpoint costs from `sinceMs` on. Credits, not a currency (design language: Numbers). */
export interface CostRate {
  /** Credits per hour and worker; null: from then on no rate. */
  creditsPerHour: number | null;
  /** 0 for a rate that also holds for everything before. */
  sinceMs: number;
  source: RateSource;
}

/** When to give notice, in credits; null: never. */
export type CostLimits = z.infer<typeof costLimits>;

/** What is kept of an endpoint's costs. */
export interface EndpointCost {
  connectionId: string;
  endpointId: string;
  /** Oldest first. */
  rates: CostRate[];
  limits: CostLimits;
  /** When the limits were set; what ended before is not judged by them. */
  limitsSinceMs: number;
}

/** What saved or running jobs cost together, as far as it can be estimated. */
export interface CostSum {
  credits: number;
  executionMs: number;
  pricedJobs: number;
  /** Ended or running, and without an execution time or a rate. */
  unpricedJobs: number;
}

/** The cost of a list's filter. */
export interface ViewCost extends CostSum {
  /** Set when only the newest that many matching jobs were counted. */
  newestOnly: number | null;
}

/** An endpoint's costs for its card. */
export interface EndpointCostSums {
  today: CostSum;
  days7: CostSum;
  days30: CostSum;
  /** Of the newest completed jobs that have a price; null without any. */
  jobP50: number | null;
  jobCount: number;
}

/** What is known of one job's cost. */
export type JobCost =
  | {
      kind: 'estimate';
      credits: number;
      executionMs: number;
      creditsPerHour: number;
      isRunning: boolean;
      /** An attempt's time or rate is not known: it costs at least this. */ isPartial: boolean;
    }
  | { kind: 'no-rate' }
  | { kind: 'no-time' };

/** Credits for `executionMs` at a rate. Pure. */
export function creditsFor(executionMs: number, creditsPerHour: number): number {
  return (Math.max(0, executionMs) / hourMs) * creditsPerHour;
}

/** The rate valid at `atMs`; null where there was none. `rates` oldest first. Pure. */
export function rateAt(rates: readonly CostRate[], atMs: number): number | null {
  return rates.findLast((rate) => rate.sinceMs <= atMs)?.creditsPerHour ?? null;
}

/** One try of a job, as far as its cost depends on it. */
export interface CostedAttempt {
  /** Null: unknown, or not running yet. */
  executionMs: number | null;
  /** Null: it runs, or it never did. */
  endedAtMs: number | null;
  isRunning: boolean;
}

/**
 * Estimates what a job cost: the execution time of each attempt by the rate valid when that attempt ended; one that
 * runs by what has elapsed so far and the rate of now. Pure.
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

/** The attempts of a job for `estimateCost`: the former ones as kept, the current one as the job has it. Pure. */
export function attemptsOf(
  job: CostedJob,
  former: readonly Pick<Attempt, 'number' | 'executionTimeMs' | 'finishedSeenAtMs'>[],
  nowMs: number,
): CostedAttempt[] {
  const before = former
    .filter(({ number }) => number < job.attempt)
    .map((attempt): CostedAttempt => ({
      // One that was cancelled or failed before it ran costs nothing that is known; it is no hole in the sum.
      executionMs: attempt.executionTimeMs,
      endedAtMs: attempt.finishedSeenAtMs,
      isRunning: false,
    }));
  return [...before, currentAttempt(job, nowMs)];
}

function currentAttempt(job: CostedJob, nowMs: number): CostedAttempt {
  const isRunning = isRunningJob(job);
  if (!isRunning) return { executionMs: job.executionTimeMs, endedAtMs: job.finishedSeenAtMs, isRunning: false };
  // A running record may carry a time of its own, which is older than now.
  const elapsedMs = job.startedSeenAtMs === null ? null : Math.max(0, nowMs - job.startedSeenAtMs);
  return {
    executionMs: elapsedMs === null ? job.executionTimeMs : Math.max(elapsedMs, job.executionTimeMs ?? 0),
    endedAtMs: null,
    isRunning: true,
  };
}

/** True while a worker spends time on the job, as far as was seen. */
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
