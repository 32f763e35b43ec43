import { createForwardTime, setAheadSince, type ClockSetting } from '../../src-preload/forward-time.ts';

let onJump: () => void = () => {};
let settings: readonly ClockSetting[] = [];

const time = createForwardTime({ wallMs: () => Date.now(), steadyMs: () => performance.now() }, () => onJump());

/**
 * The time by the engine's clock, in epoch milliseconds: what jobs are stamped with. If the computer's clock was set
 * back, that is later than `Date.now()`, by which everything the engine knows would seem newer than it is
 * (docs/decisions/102).
 */
export const engineNow = time.now;

/** Sets what the engine reports of its clock: it is at least this late, and was set ahead at these times. */
export function learnEngineTime(nowMs: number, clockSettings: readonly ClockSetting[]): void {
  time.learn(nowMs);
  settings = clockSettings;
}

/** By how much the engine's clock was set ahead after `sinceMs`: that time did not pass (docs/decisions/102). */
export function setAheadMs(sinceMs: number): number {
  return setAheadSince(settings, sinceMs);
}

/** Calls `listener` when the clock moved ahead at once. Only the engine can tell a sleep from a clock that was set. */
export function onClockJump(listener: () => void): void {
  onJump = listener;
}
