import { readTimestamp, type SavingsPlan } from '../../src-preload/pod.ts';

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
