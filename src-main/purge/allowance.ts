import { purgeLockMs, purgesPerWindow } from '../../src-preload/purge.ts';
import type { PurgeAllowance } from '../../src-preload/purge.ts';

/**
 * When the next purge of an endpoint may be sent. The governor keeps our part of the service's two in ten seconds
 * (ruling 21) and forgets with the app; the times of kept purges do not, and lock for ten seconds each
 * (design language: Destructive). Pure.
 */
export function purgeAllowance(
  room: { used: number; lockedUntilMs: number | null },
  startsMs: readonly number[],
  nowMs: number,
): PurgeAllowance {
  const recent = startsMs.filter((atMs) => atMs > nowMs - purgeLockMs && atMs <= nowMs);
  const lockEndsAtMs = Math.max(room.lockedUntilMs ?? 0, ...recent.map((atMs) => atMs + purgeLockMs));
  return {
    used: Math.max(room.used, recent.length),
    of: purgesPerWindow,
    lockedUntilMs: lockEndsAtMs > nowMs ? lockEndsAtMs : null,
  };
}
