import type { RunTimes } from '../../src-preload/history.ts';
import { queuedSinceMs, runningSinceMs, statusKind, type Job, type StatusKind } from '../../src-preload/job.ts';
import { policyDefaults } from '../../src-preload/job-bounds.ts';
import { p95Position } from '../design/execution-bar.tsx';
import type { figureWords } from '../messages/jobs/row.tsx';

/** A figure in a row: fixed, counting up since a moment, or a word. */
export type Figure =
  | { kind: 'fixed'; ms: number }
  | { kind: 'since'; ms: number }
  | { kind: 'word'; word: keyof typeof figureWords }
  | { kind: 'none' };

const none: Figure = { kind: 'none' };

/** A figure as of `asOfMs`: nothing is known of the job since, so it no longer counts up. Null: it counts. */
export function figureAsOf(figure: Figure, asOfMs: number | null): Figure {
  return figure.kind === 'since' && asOfMs !== null ? { kind: 'fixed', ms: Math.max(0, asOfMs - figure.ms) } : figure;
}

/** How long the job waited, or has waited, in the queue. */
export function waitFigure(job: Job): Figure {
  if (job.phase === 'active' && job.status === 'IN_QUEUE') return { kind: 'since', ms: queuedSinceMs(job) };
  if (job.delayTimeMs !== null) return { kind: 'fixed', ms: job.delayTimeMs };
  // It is running, and no reply has reported the wait yet, so it is taken from our clock.
  if (job.startedSeenAtMs !== null && job.acceptedAtMs !== null)
    return { kind: 'fixed', ms: Math.max(0, job.startedSeenAtMs - queuedSinceMs(job)) };
  if (job.status === 'CANCELLED' && job.finishedSeenAtMs !== null)
    return { kind: 'fixed', ms: job.finishedSeenAtMs - queuedSinceMs(job) };
  return none;
}

/** How long the job ran, or has run, or the word in that column. */
export function executionFigure(job: Job): Figure {
  const kind = statusKind(job);
  const neverRan = kind === 'gone' && job.startedSeenAtMs === null;
  // How long it had run when it was last read no longer says anything.
  if (kind === 'orphaned') return none;
  if (job.executionTimeMs !== null && (job.phase !== 'active' || job.pendingStream !== undefined) && !neverRan)
    return { kind: 'fixed', ms: job.executionTimeMs };
  switch (kind) {
    case 'run':
      return { kind: 'since', ms: runningSinceMs(job) };
    case 'queue':
      return { kind: 'word', word: 'waiting' };
    case 'to-send':
      return { kind: 'word', word: job.phase === 'submitting' ? 'sending' : 'to-send' };
    case 'gone':
      return { kind: 'word', word: job.goneReason === 'too-large' ? 'too-large' : 'gone' };
    case 'done':
    case 'fail':
    case 'timeout':
    case 'cancel':
    case 'unknown':
      return none;
  }
}

/**
 * The duration that fills a bar's track, in milliseconds: the endpoint's p95 is at 76 % of it. Without a p95 it is the
 * execution limit.
 */
function trackMs(job: Job, runTimes: RunTimes | undefined): number {
  if (runTimes?.executionP95Ms != null && runTimes.executionP95Ms > 0) return runTimes.executionP95Ms / p95Position;
  return job.policy.executionTimeout ?? policyDefaults.executionTimeoutMs;
}

/** A 95th percentile is meaningful from this many runs on. */
export const runsForTick = 5;

/** The position of the tick. Null if no p95 is known yet or the bar shows a wait. */
export function tickOf(kind: StatusKind, runTimes: RunTimes | undefined): number | null {
  if (kind === 'queue') return null;
  return runTimes?.executionP95Ms != null && runTimes.executionP95Ms > 0 && runTimes.count >= runsForTick
    ? p95Position
    : null;
}

/** The filled share of a job's bar at `nowMs`, or null. */
export function barFraction(job: Job, runTimes: RunTimes | undefined, nowMs: number): number | null {
  const kind = statusKind(job);
  if (kind === 'timeout') return 1;
  if (kind === 'queue') {
    const usual = runTimes?.delayP95Ms;
    const waited = nowMs - queuedSinceMs(job);
    return usual == null || usual <= 0 ? 1 : atLeast(waited / (usual / p95Position));
  }
  const figure = executionFigure(job);
  if (figure.kind === 'fixed') return atLeast(figure.ms / trackMs(job, runTimes));
  if (figure.kind === 'since') return atLeast((nowMs - figure.ms) / trackMs(job, runTimes));
  return null;
}

/** A bar is always visible and never longer than its track. */
function atLeast(share: number): number {
  return Math.min(1, Math.max(0.03, share));
}
