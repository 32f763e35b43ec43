import { dayMs, hourMs, minuteMs } from '../../../src-preload/durations.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { Timer } from '../../time/clock.ts';
import type { LedgerChange } from '../store/ledger.ts';
import { latestTtlEndMs, mayBeOver } from '../reducer/ending.ts';
import type { JobContext } from '../context/job-context.ts';
import type { ReadStatusAgain } from './check-now.ts';

/** How often a gone job is read: while its result may be there, for some hours, and for the rest of a day. */
const askEveryMs = { run: 120_000, runsync: 30_000 } as const;
const laterEveryMs = 11 * minuteMs;
const rarelyEveryMs = 47 * minuteMs;
const soonForMs = 30 * minuteMs;
const laterForMs = 3 * hourMs;
const mostMs = dayMs;
/** Anyone who knows the path of a webhook can call it at any rate. */
const leastPauseMs = 10_000;
/** How many gone jobs of earlier runs are read again: the newest of them. */
const mostResumed = 500;

/**
 * Jobs that are gone because the service said so, although their ttl has not ended (ruling 34). The service may know
 * them again, so they are read less and less often until the ttl must have ended, for a day at most.
 */
export interface GoneJobs {
  /** Resumes those of earlier runs. */
  start(): Promise<void>;
  /** What was committed. */
  note(changes: readonly LedgerChange[]): void;
  /** Jobs that were deleted are no longer read. */
  removed(keys: readonly string[]): void;
  /** A webhook call named this job. If it is gone, it is read now (ruling 25: a hint, no more). */
  hinted(jobId: string): void;
  close(): void;
}

/** `readStatusAgain` reads the status once. A job that the service knows is live again. */
export function createGoneJobs(
  { history, clock, pausing, onTrouble }: JobContext,
  readStatusAgain: ReadStatusAgain,
): GoneJobs {
  const waiting = new Map<string, { job: Job; fromMs: number; atMs: number }>();
  let timer: Timer | null = null;
  let isClosed = false;

  function add(job: Job): void {
    const nowMs = clock.now();
    waiting.set(job.key, { job, fromMs: nowMs, atMs: nowMs + pauseMs(job, nowMs) });
  }

  function arm(): void {
    timer?.cancel();
    timer = null;
    if (isClosed || waiting.size === 0) return;
    const atMs = Math.min(...[...waiting.values()].map((each) => each.atMs));
    timer = clock.after(Math.max(0, atMs - clock.now()), askDue);
  }

  function askDue(): void {
    const nowMs = clock.now();
    for (const [key, { job, atMs }] of waiting) {
      if (atMs > nowMs) continue;
      if (isWorthAsking(job, nowMs)) add(job);
      else waiting.delete(key);
      if (!pausing.isPaused) readStatusAgain(job).catch(onTrouble);
    }
    arm();
  }

  return {
    async start() {
      const { jobs } = await history.list({ ...emptyFilter, statuses: ['gone'] }, null, mostResumed);
      for (const job of jobs) if (isWorthAsking(job, clock.now())) add(job);
      arm();
    },
    note(changes) {
      let isChanged = false;
      for (const { after } of changes) {
        if (isWorthAsking(after, clock.now())) add(after);
        else if (!waiting.delete(after.key)) continue;
        isChanged = true;
      }
      if (isChanged) arm();
    },
    removed(keys) {
      for (const key of keys) waiting.delete(key);
      arm();
    },
    hinted(jobId) {
      for (const each of waiting.values())
        if (each.job.jobId === jobId) each.atMs = Math.min(each.atMs, each.fromMs + leastPauseMs);
      arm();
    },
    close() {
      isClosed = true;
      timer?.cancel();
    },
  };
}

function isWorthAsking(job: Job, nowMs: number): boolean {
  const isDoubtful = job.goneReason === 'expired' || job.goneReason === 'unknown-endpoint';
  return job.phase === 'gone' && isDoubtful && nowMs < latestTtlEndMs(job) && goneForMs(job, nowMs) < mostMs;
}

function pauseMs(job: Job, nowMs: number): number {
  const goneMs = goneForMs(job, nowMs);
  return goneMs < soonForMs && !mayBeOver(job, nowMs)
    ? askEveryMs[job.operation]
    : goneMs < laterForMs
      ? laterEveryMs
      : rarelyEveryMs;
}

function goneForMs({ finishedSeenAtMs }: Job, nowMs: number): number {
  return nowMs - (finishedSeenAtMs ?? nowMs);
}
