import type { PurgeAllowance, PurgePreview } from '../../src-preload/purge.ts';

/** The waiting jobs of a queue, ours and others' separately, as far as the numbers agree. */
export interface QueueShares {
  /** As the service says. Null if it was never read. */
  inQueue: number | null;
  tracked: number;
  /** Submitted from elsewhere. Null if that is not known. */
  external: number | null;
  running: number | null;
}

/** Splits the waiting jobs into ours and others'. Pure. */
export function queueShares({ health, tracked }: Pick<PurgePreview, 'health' | 'tracked'>): QueueShares {
  if (health === null) return { inQueue: null, tracked, external: null, running: null };
  const { inQueue, inProgress } = health.jobs;
  return { inQueue, tracked, external: tracked > inQueue ? null : inQueue - tracked, running: inProgress };
}

/** How many jobs a purge would remove, or at least that many. Null if the number is not known. Pure. */
export function purgeCount({ inQueue, tracked }: QueueShares): { jobs: number; isLeast: boolean } | null {
  if (inQueue !== null) return { jobs: Math.max(inQueue, tracked), isLeast: false };
  return tracked === 0 ? null : { jobs: tracked, isLeast: true };
}

/** How many jobs a purge is expected to remove, as its button says. Null if the number is not known. Pure. */
export function expectedCount(preview: Pick<PurgePreview, 'health' | 'tracked'>): number | null {
  const count = purgeCount(queueShares(preview));
  return count === null || count.isLeast ? null : count.jobs;
}

/** From this age on, the button says how old the reading is. On screen a queue is read every five seconds. */
const oldFromMs = 10_000;

/** The age in milliseconds of a reading that is too old to be shown without it. Null for any other. Pure. */
export function oldAgeMs({ health }: Pick<PurgePreview, 'health'>, nowMs: number): number | null {
  const ageMs = health === null ? 0 : nowMs - health.atMs;
  return ageMs < oldFromMs ? null : ageMs;
}

/** Whole seconds, to the nearest, until a purge is allowed again. 0 if it is allowed. */
export function lockSeconds(allowance: PurgeAllowance, nowMs: number): number {
  const leftMs = (allowance.lockedUntilMs ?? 0) - nowMs;
  return leftMs <= 0 ? 0 : Math.max(1, Math.ceil((leftMs - 500) / 1_000));
}
