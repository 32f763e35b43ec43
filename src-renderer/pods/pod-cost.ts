import { hourMs } from '../../src-preload/durations.ts';
import { readTimestamp, type Pod } from '../../src-preload/pod.ts';
import type { UnknownCost } from '../messages/pods/cost.ts';

/** What a pod has cost since its last start, if that is known. */
type SinceStart = { kind: 'known'; elapsedMs: number; credits: number } | { kind: 'unknown'; why: UnknownCost };

export interface PodCost {
  /** Credits per hour. Null if the reply has no price. */
  listPerHr: number | null;
  adjustedPerHr: number | null;
  /** What is paid per hour, and the field of the reply that says so: the adjusted price if there is one. */
  paid: { perHr: number; field: 'adjustedCostPerHr' | 'costPerHr' } | null;
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
  const paid = paidPrice(listPerHr, adjustedPerHr);
  return {
    listPerHr,
    adjustedPerHr,
    paid,
    savedPerHr: listPerHr === null || adjustedPerHr === null ? null : round(listPerHr - adjustedPerHr),
    sinceStart: sinceStart(pod, paid?.perHr ?? null, atMs),
  };
}

function paidPrice(listPerHr: number | null, adjustedPerHr: number | null): PodCost['paid'] {
  if (adjustedPerHr !== null) return { perHr: adjustedPerHr, field: 'adjustedCostPerHr' };
  return listPerHr === null ? null : { perHr: listPerHr, field: 'costPerHr' };
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

/** Removes the rounding errors of floating point. */
function round(credits: number): number {
  return Math.round(credits * 1e6) / 1e6;
}
