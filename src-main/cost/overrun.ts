import {
  attemptsOf,
  estimateCost,
  isRunningJob,
  rateAt,
  type EndpointCost,
  creditsFor,
  type CostLimits,
} from '../../src-preload/cost.ts';
import type { Attempt, Job } from '../../src-preload/job.ts';
import { Alarm, createThrottle } from '../time/timers.ts';
import { type Clock, localDate, startOfDay } from '../time/clock.ts';
import { hourMs } from '../../src-preload/durations.ts';
import type { Notice } from '../../src-preload/app.ts';
import { overrunText } from '../messages/cost.ts';

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
  /** Credits of the jobs that ended since then, including running ones. */
  spentSince: (cost: EndpointCost, sinceMs: number) => Promise<number>;
  keepNotified: (notified: NotifiedOverruns) => Promise<void>;
  onOverrun: (overrun: Overrun, day: string) => void;
  onTrouble: (error: unknown) => void;
}

/** Jobs change by the hundred. They are judged together, at most this often. */
const gapMs = 1_000;

/**
 * It has no timer of its own: it judges when jobs changed, and once at the moment when a running job will pass a limit.
 */
export function createOverrunWatch(parts: OverrunWatchParts): OverrunWatch {
  const { clock } = parts;
  const live = new Map<string, Job>();
  const running = new Map<string, RunningJob>();
  let { cost, notified } = parts;
  const changed = new Map<string, Job>();
  const judging = createThrottle({ clock, gapMs, run: () => judge().catch(parts.onTrouble) });
  /** Rings when a running job passes a limit, if nothing changes. */
  const alarm = new Alarm(clock, judging.request);
  let isClosed = false;

  const hasLimits = (): boolean => cost.limits.perJob !== null || cost.limits.perDay !== null;

  async function judge(): Promise<void> {
    const jobs = [...changed.values()];
    changed.clear();
    const ended: EndedJob[] = [];
    for (const job of jobs) await take(job, ended);
    const startOfDayMs = startOfDay(clock.now());
    const atMs = clock.now();
    const spent = cost.limits.perDay === null ? null : { credits: await parts.spentSince(cost, startOfDayMs), atMs };
    const nowMs = clock.now();
    const day = localDate(nowMs);
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
    notified = judged.notified;
    if (judged.overruns.length > 0) await parts.keepNotified(notified);
    for (const overrun of judged.overruns) parts.onOverrun(overrun, day);
    if (!isClosed) alarm.set(judged.nextAtMs ?? Infinity);
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

/** The possible rounding error of a sum that equals its limit. */
const slack = 1e-9;
/** How many jobs are named per day and endpoint. After that, one notice stands for the rest. */
export const mostNamedJobs = 3;

/** A running job, with the cost of its former attempts. */
interface RunningJob {
  key: string;
  title: string;
  formerCredits: number;
  startedAtMs: number;
}

/** An ended job, with its cost. */
interface EndedJob {
  key: string;
  title: string;
  credits: number;
}

/** What the user was notified of. Kept over restarts. */
export interface NotifiedOverruns {
  /** The day whose sum was notified. */
  day: string | null;
  jobs: string[];
  /** How many jobs were named on `namedDay`. */
  namedDay: string;
  named: number;
}

export const nothingNotified: NotifiedOverruns = { day: null, jobs: [], namedDay: '', named: 0 };

/** One endpoint's costs at a moment. */
export interface OverrunView {
  nowMs: number;
  /** The current local date, such as 2026-11-21. */
  day: string;
  /** Null: no cost can be computed. */
  creditsPerHour: number | null;
  limits: CostLimits;
  running: readonly RunningJob[];
  /** Since the last judgement. */
  ended: readonly EndedJob[];
  /** The day's sum at `atMs`, including running jobs. Null if it is not known. */
  spent: { credits: number; atMs: number } | null;
  notified: NotifiedOverruns;
}

export type Overrun =
  | { kind: 'job'; key: string; title: string; credits: number; limit: number; isRunning: boolean }
  /** More jobs than are named individually. */
  | { kind: 'more-jobs'; limit: number }
  | { kind: 'day'; credits: number; limit: number };

export interface Judgement {
  overruns: Overrun[];
  notified: NotifiedOverruns;
  /** When a running job will pass a limit if nothing changes, or null. */
  nextAtMs: number | null;
}

/** How many notified jobs are remembered, so that each is notified once. */
const mostRemembered = 500;

/** What has passed a limit without a notification, and when to check again. Pure. */
export function checkOverruns(view: OverrunView): Judgement {
  const { nowMs, creditsPerHour, limits, running, notified } = view;
  if (creditsPerHour === null) return { overruns: [], notified, nextAtMs: null };
  const known = new Set(notified.jobs);
  const overruns: Overrun[] = [];
  const moments: number[] = [];
  const over: Extract<Overrun, { kind: 'job' }>[] = [];

  if (limits.perJob !== null) {
    const limit = limits.perJob;
    for (const { key, title, credits } of view.ended)
      if (!known.has(key) && credits >= limit * (1 - slack))
        over.push({ kind: 'job', key, title, credits, limit, isRunning: false });
    for (const { key, title, formerCredits, startedAtMs } of running) {
      if (known.has(key)) continue;
      const credits = formerCredits + creditsFor(nowMs - startedAtMs, creditsPerHour);
      if (credits >= limit * (1 - slack)) over.push({ kind: 'job', key, title, credits, limit, isRunning: true });
      else moments.push(startedAtMs + ((limit - formerCredits) / creditsPerHour) * hourMs);
    }
  }
  const named = notified.namedDay === view.day ? notified.named : 0;
  overruns.push(...over.slice(0, Math.max(0, mostNamedJobs - named)));
  const isCrowd = named + over.length > mostNamedJobs;
  if (isCrowd && named <= mostNamedJobs && limits.perJob !== null)
    overruns.push({ kind: 'more-jobs', limit: limits.perJob });

  let notifiedDay = notified.day;
  if (limits.perDay !== null && view.spent !== null && notified.day !== view.day) {
    const perMs = (running.length * creditsPerHour) / hourMs;
    const credits = view.spent.credits + Math.max(0, nowMs - view.spent.atMs) * perMs;
    if (credits >= limits.perDay * (1 - slack)) {
      overruns.push({ kind: 'day', credits, limit: limits.perDay });
      notifiedDay = view.day;
    } else if (perMs > 0) moments.push(nowMs + (limits.perDay - credits) / perMs);
  }

  return {
    overruns,
    notified: {
      day: notifiedDay,
      jobs: [...notified.jobs, ...over.map(({ key }) => key)].slice(-mostRemembered),
      namedDay: view.day,
      // One more than the maximum: the notice for all others was shown.
      named: isCrowd ? mostNamedJobs + 1 : named + over.length,
    },
    nextAtMs: moments.length === 0 ? null : Math.max(nowMs + 1, Math.ceil(Math.min(...moments) - 1e-3)),
  };
}

/** The notice of an overrun. Its id makes sure that each job or day has one. */
export function overrunNotice(
  overrun: Overrun,
  of: { endpointKey: string; endpointName: string; day: string },
): Omit<Notice, 'atMs'> {
  const common = { tone: 'warning', path: null } as const;
  switch (overrun.kind) {
    case 'job':
      return {
        ...common,
        id: `cost:job:${overrun.key}`,
        title: overrunText.jobTitle(overrun.title),
        text: overrun.isRunning
          ? overrunText.runningJob(overrun.credits, of.endpointName, overrun.limit)
          : overrunText.endedJob(overrun.credits, of.endpointName, overrun.limit),
      };
    case 'more-jobs':
      return {
        ...common,
        id: `cost:jobs:${of.endpointKey}:${of.day}`,
        title: overrunText.moreJobsTitle(of.endpointName),
        text: overrunText.moreJobs(overrun.limit),
      };
    case 'day':
      return {
        ...common,
        id: `cost:day:${of.endpointKey}:${of.day}`,
        title: overrunText.dayTitle(of.endpointName),
        text: overrunText.day(overrun.credits, overrun.limit),
      };
  }
}
