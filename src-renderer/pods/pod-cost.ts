import { hourMs } from '../../src-preload/durations.ts';
import { readTimestamp, type Pod, type SavingsPlan } from '../../src-preload/pod.ts';
import type { UnknownCost } from '../messages/pods/cost.ts';

/** What a pod has cost since its last start, if that is known. */
type SinceStart = { kind: 'known'; elapsedMs: number; credits: number } | { kind: 'unknown'; why: UnknownCost };

export interface PodCost {
  /** Credits per hour. Null if the reply has no price. */
  listPerHr: number | null;
  adjustedPerHr: number | null;
  /** What the plans save per hour. Null if a price is missing; negative if the adjusted price is the higher one. */
  savedPerHr: number | null;
  sinceStart: SinceStart;
}

/**
 * The cost of a pod at `atMs`, when it was read: whether it ran on is not known. Unknown if the pod does not run,
 * because the reply does not say when it stopped. Pure.
 */
export function podCost(
  pod: Pick<Pod, 'costPerHr' | 'adjustedCostPerHr' | 'lastStartedAt' | 'desiredStatus'>,
  atMs: number,
): PodCost {
  const listPerHr = pod.costPerHr ?? null;
  const adjustedPerHr = pod.adjustedCostPerHr ?? null;
  return {
    listPerHr,
    adjustedPerHr,
    savedPerHr: listPerHr === null || adjustedPerHr === null ? null : round(listPerHr - adjustedPerHr),
    sinceStart: sinceStart(pod, adjustedPerHr ?? listPerHr, atMs),
  };
}

function sinceStart(pod: Pick<Pod, 'lastStartedAt' | 'desiredStatus'>, perHr: number | null, atMs: number): SinceStart {
  const unknown = (why: UnknownCost): SinceStart => ({ kind: 'unknown', why });
  if (perHr === null) return unknown('no-price');
  if (pod.lastStartedAt == null || pod.lastStartedAt === '') return unknown('no-start');
  const startedAtMs = readTimestamp(pod.lastStartedAt);
  if (startedAtMs === null) return unknown('unreadable-start');
  if (pod.desiredStatus !== 'RUNNING') return unknown('not-running');
  if (startedAtMs > atMs) return unknown('future-start');
  const elapsedMs = atMs - startedAtMs;
  return { kind: 'known', elapsedMs, credits: (elapsedMs / hourMs) * perHr };
}

/** How much of a savings plan has passed. */
export interface PlanProgress {
  startMs: number | null;
  endMs: number | null;
  /** From 0 to 1. Null if a time is missing or cannot be read. */
  fraction: number | null;
  usedMs: number | null;
  leftMs: number | null;
}

/** How much of a savings plan had passed at `atMs`, when the pod was read: since then it may have ended or changed. */
export function planProgress(plan: Pick<SavingsPlan, 'startTime' | 'endTime'>, atMs: number): PlanProgress {
  const startMs = plan.startTime == null ? null : readTimestamp(plan.startTime);
  const endMs = plan.endTime == null ? null : readTimestamp(plan.endTime);
  const isSpan = startMs !== null && endMs !== null && endMs > startMs;
  return {
    startMs,
    endMs,
    fraction: isSpan ? Math.min(1, Math.max(0, (atMs - startMs) / (endMs - startMs))) : null,
    usedMs: startMs === null ? null : Math.max(0, atMs - startMs),
    leftMs: endMs === null ? null : Math.max(0, endMs - atMs),
  };
}

/** Removes the rounding errors of floating point. */
function round(credits: number): number {
  return Math.round(credits * 1e6) / 1e6;
}
