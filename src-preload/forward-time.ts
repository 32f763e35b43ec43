/** The machine's clocks, all in milliseconds. */
export interface TimeSources {
  /** Epoch milliseconds. The user can set it. */
  wallMs: () => number;
  /** Since an arbitrary moment. It always advances, but may stop while the machine sleeps. */
  steadyMs: () => number;
  /** Since the machine started, sleep included, to a second or two. Absent: not known here. */
  uptimeMs?: () => number;
}

/** The wall clock was set ahead by `byMs`, to `atMs`. */
export interface ClockSetting {
  atMs: number;
  byMs: number;
}

/** By how much the clock was set ahead after `sinceMs`. That time did not pass. Pure. */
export function setAheadSince(settings: readonly ClockSetting[], sinceMs: number): number {
  return settings.reduce((sum, { atMs, byMs }) => (Math.floor(atMs) > sinceMs ? sum + byMs : sum), 0);
}

/** Wall time that never runs backwards. */
export interface ForwardTime {
  /** Epoch milliseconds. Never less than before. */
  now(): number;
  /** By how much the wall clock was set ahead after `sinceMs`, as the uptime shows. That time did not pass. */
  setAheadMs(sinceMs: number): number;
  /** Each time that it was set ahead, as the uptime shows; the oldest of many are forgotten. */
  settings(): readonly ClockSetting[];
  /** It is at least so late: another clock of this kind says so. */
  learn(nowMs: number): void;
}

/** The wall clock moved ahead by more than this: the machine slept, or its clock was set. */
const jumpMs = 1_000;
/** How wrong an uptime may be, which some systems give in whole seconds. */
const uptimeErrorMs = 2_000;
/** A clock that was set ahead by less is not recorded. */
const minSetMs = 5_000;
/** More settings of the clock than this are forgotten, the oldest first. */
const maxSettings = 50;

/**
 * Follows the wall clock forward, even over a sleep. If that is set back, the time continues from where it was by the
 * steady clock and the uptime, so a sleep counts whatever was done to the clock meanwhile (docs/decisions/027).
 * `onJump` is called with the new time when it moved ahead faster than the steady clock.
 */
export function createForwardTime(
  { wallMs, steadyMs, uptimeMs }: TimeSources,
  onJump: (nowMs: number) => void = () => {},
): ForwardTime {
  let timeMs = wallMs();
  let atSteadyMs = steadyMs();
  /** What has certainly passed since the beginning. */
  let passedMs = 0;
  const beganAtUptimeMs = uptimeMs?.() ?? 0;
  let uptimeReadAtSteadyMs = atSteadyMs;
  const settings: ClockSetting[] = [];

  /** What has passed since the last reading. Reading the uptime takes longer, so that is done only when needed. */
  function passedSince(steadyPassedMs: number, nowSteadyMs: number, isWallAhead: boolean): number {
    const isDue = isWallAhead || nowSteadyMs - uptimeReadAtSteadyMs >= jumpMs;
    if (uptimeMs === undefined || !isDue) return steadyPassedMs;
    uptimeReadAtSteadyMs = nowSteadyMs;
    return Math.max(steadyPassedMs, uptimeMs() - beganAtUptimeMs - uptimeErrorMs - passedMs);
  }

  function now(): number {
    const nowSteadyMs = steadyMs();
    const nowWallMs = wallMs();
    const steadyPassedMs = Math.max(0, nowSteadyMs - atSteadyMs);
    const byTimersMs = timeMs + steadyPassedMs;
    const isWallAhead = nowWallMs - byTimersMs > jumpMs;
    const justPassedMs = passedSince(steadyPassedMs, nowSteadyMs, isWallAhead);
    const reachedMs = timeMs + justPassedMs;
    passedMs += justPassedMs;
    atSteadyMs = nowSteadyMs;
    timeMs = Math.max(reachedMs, nowWallMs);
    if (uptimeMs !== undefined && timeMs - reachedMs > minSetMs) {
      settings.push({ atMs: timeMs, byMs: timeMs - reachedMs });
      if (settings.length > maxSettings) settings.shift();
    }
    if (timeMs - byTimersMs > jumpMs) onJump(Math.floor(timeMs));
    return Math.floor(timeMs);
  }

  return {
    now,
    setAheadMs(sinceMs) {
      now();
      return setAheadSince(settings, sinceMs);
    },
    settings() {
      now();
      return [...settings];
    },
    learn(nowMs) {
      now();
      timeMs = Math.max(timeMs, nowMs);
    },
  };
}
