import { purgeLockMs, purgesPerWindow, type PurgeAllowance } from '../../src-preload/purge.ts';

/**
 * When the next purge of an endpoint may be sent. The governor keeps our share of the service's two per ten seconds
 * (ruling 21), but forgets it when the app ends. So each saved purge also locks for ten seconds (design language:
 * Destructive). Pure.
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
