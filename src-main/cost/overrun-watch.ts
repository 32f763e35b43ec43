import { attemptsOf, estimateCost, isRunningJob, rateAt, type EndpointCost } from '../../src-preload/cost.ts';
import { formatDate, startOfDay } from '../../src-preload/format.ts';
import type { Attempt, Job } from '../../src-preload/job.ts';
import type { Clock } from '../time/clock.ts';
import { Alarm, createThrottle } from '../time/timers.ts';
import { checkOverruns, type EndedJob, type NotifiedOverruns, type Overrun, type RunningJob } from './overrun.ts';

/** Watches one connection's endpoint for jobs and days that pass its limits. */
export interface OverrunWatch {
  /** Jobs of this endpoint that changed. */
  noteJobs(jobs: readonly Job[]): void;
  /** The rates or limits changed. */
  setCost(cost: EndpointCost): void;
  close(): void;
  /** Resolves when nothing is in progress. */
  idle(): Promise<void>;
}

export interface OverrunWatchParts {
  clock: Clock;
  cost: EndpointCost;
  notified: NotifiedOverruns;
  /** Former attempts of a job that was retried. */
  attempts: (key: string) => Promise<Attempt[]>;
  /** Credits spent since then: of attempts that ended, and of running ones up to now. */
  spentSince: (cost: EndpointCost, sinceMs: number) => Promise<number>;
  /** Rejects if the disk refuses. The overrun is reported all the same, and this is tried again with the next one. */
  keepNotified: (notified: NotifiedOverruns) => Promise<void>;
  onOverrun: (overrun: Overrun, day: string) => void;
  onTrouble: (error: unknown) => void;
}

/** Jobs change by the hundred. They are judged together, at most this often. */
const gapMs = 1_000;
/** When the history could not be read, it is tried again after this time. */
const retryAfterMs = 30_000;

/** It judges when jobs changed. Its only timer is for the moment when a running job will pass a limit. */
export function createOverrunWatch(parts: OverrunWatchParts): OverrunWatch {
  const { clock } = parts;
  const live = new Map<string, Job>();
  const running = new Map<string, RunningJob>();
  let { cost, notified } = parts;
  let isNotifiedSaved = true;
  /** Jobs that were not judged since they changed. */
  const changed = new Map<string, Job>();
  const judging = createThrottle({ clock, gapMs, run: () => judge().catch(judgeLater) });
  /** Rings when a running job passes a limit, if nothing changes. */
  const alarm = new Alarm(clock, judging.request);
  let isClosed = false;

  const hasLimits = (): boolean => cost.limits.perJob !== null || cost.limits.perDay !== null;

  async function judge(): Promise<void> {
    const jobs = [...changed.values()];
    const ended: EndedJob[] = [];
    for (const job of jobs) await take(job, ended);
    const atMs = clock.now();
    const startOfDayMs = startOfDay(atMs);
    const credits = cost.limits.perDay === null ? null : await parts.spentSince(cost, startOfDayMs);
    const nowMs = clock.now();
    // The sum of a day that ended meanwhile is not that of today.
    const isToday = startOfDay(nowMs) === startOfDayMs;
    const spent = credits === null || !isToday ? null : { credits, atMs };
    const day = formatDate(nowMs);
    const judged = checkOverruns({
      nowMs,
      day,
      creditsPerHour: rateAt(cost.rates, nowMs),
      limits: cost.limits,
      running: [...running.values()],
      ended,
      spent,
      notified,
    });
    for (const job of jobs) if (changed.get(job.key) === job) changed.delete(job.key);
    notified = judged.notified;
    if (judged.overruns.length > 0) isNotifiedSaved = false;
    await saveNotified();
    for (const overrun of judged.overruns) parts.onOverrun(overrun, day);
    if (isClosed) return;
    alarm.set(judged.nextAtMs ?? Infinity);
    if (!isToday) judging.request();
  }

  /** Saved before it is reported, so that no later start reports it again. */
  async function saveNotified(): Promise<void> {
    if (isNotifiedSaved) return;
    try {
      await parts.keepNotified(notified);
      isNotifiedSaved = true;
    } catch (error) {
      parts.onTrouble(error);
    }
  }

  function judgeLater(error: unknown): void {
    parts.onTrouble(error);
    if (!isClosed) alarm.setAtLatest(clock.now() + retryAfterMs);
  }

  async function take(job: Job, ended: EndedJob[]): Promise<void> {
    const isRunning = isRunningJob(job);
    if (!isRunning) running.delete(job.key);
    const hasEnded = job.finishedSeenAtMs !== null && job.finishedSeenAtMs >= cost.limitsSinceMs;
    if (!isRunning && !hasEnded) return;
    const former = job.attempt === 1 ? [] : await parts.attempts(job.key);
    const nowMs = clock.now();
    const attempts = attemptsOf(job, former, nowMs);
    if (isRunning) {
      const before = estimateCost(attempts.slice(0, -1), cost.rates, nowMs);
      running.set(job.key, {
        key: job.key,
        title: job.title,
        formerCredits: before.kind === 'estimate' ? before.credits : 0,
        startedAtMs: job.startedSeenAtMs ?? nowMs,
      });
      return;
    }
    const all = estimateCost(attempts, cost.rates, nowMs);
    if (all.kind === 'estimate') ended.push({ key: job.key, title: job.title, credits: all.credits });
  }

  return {
    noteJobs(jobs) {
      for (const job of jobs) {
        if (isRunningJob(job)) live.set(job.key, job);
        else live.delete(job.key);
        if (hasLimits()) changed.set(job.key, job);
        else running.delete(job.key);
      }
      if (changed.size > 0) judging.request();
    },
    setCost(next) {
      cost = next;
      if (!hasLimits()) return;
      for (const job of live.values()) changed.set(job.key, job);
      judging.request();
    },
    close() {
      isClosed = true;
      judging.cancel();
      alarm.cancel();
    },
    idle: judging.idle,
  };
}
