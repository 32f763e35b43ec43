import { creditsFor, type CostLimits } from '../../src-preload/cost.ts';
import { hourMs } from '../../src-preload/durations.ts';
import type { Notice } from '../../src-preload/app.ts';
import { overrunText } from '../messages/cost.ts';

/** The possible rounding error of a sum that equals its limit. */
const slack = 1e-9;
/** How many jobs are named per day and endpoint. After that, one notice stands for the rest. */
export const maxNamedJobs = 3;

/** A running job, with the cost of its former attempts. */
export interface RunningJob {
  key: string;
  title: string;
  formerCredits: number;
  startedAtMs: number;
}

/** An ended job, with its cost. */
export interface EndedJob {
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
  /** Since the last check. */
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

export interface OverrunCheck {
  overruns: Overrun[];
  notified: NotifiedOverruns;
  /** When a running job will pass a limit if nothing changes, or null. */
  nextAtMs: number | null;
}

/** How many notified jobs are remembered, so that each is notified once. */
const maxRemembered = 500;

/** What has passed a limit without a notification, and when to check again. Pure. */
export function checkOverruns(view: OverrunView): OverrunCheck {
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
  overruns.push(...over.slice(0, Math.max(0, maxNamedJobs - named)));
  const isCrowd = named + over.length > maxNamedJobs;
  if (isCrowd && named <= maxNamedJobs && limits.perJob !== null)
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
      jobs: [...notified.jobs, ...over.map(({ key }) => key)].slice(-maxRemembered),
      namedDay: view.day,
      // One more than the maximum: the notice for all others was shown.
      named: isCrowd ? maxNamedJobs + 1 : named + over.length,
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
