import { minuteMs } from '../../src-preload/durations.ts';
import type { QuietHours } from '../../src-preload/settings.ts';
import { localMinute } from './clock.ts';

/** A day of 25 hours, and some more. */
const maxMinutes = 26 * 60;

/**
 * True within quiet hours by the wall clock: from `fromMinute` up to and without `toMinute`, over midnight if that is
 * earlier. If both are equal, there are no quiet hours.
 */
export function isQuiet(
  { isOn, fromMinute, toMinute }: QuietHours,
  nowMs: number,
  minuteOf: (atMs: number) => number = localMinute,
): boolean {
  if (!isOn) return false;
  const minute = minuteOf(nowMs);
  return fromMinute <= toMinute ? minute >= fromMinute && minute < toMinute : minute >= fromMinute || minute < toMinute;
}

/**
 * The next full minute that is quiet, or not quiet, or null if there is none within a day. It checks minute by minute,
 * so that hours that occur twice or never are no special cases.
 */
export function nextMinute(
  hours: QuietHours,
  wanted: 'quiet' | 'loud',
  nowMs: number,
  minuteOf: (atMs: number) => number = localMinute,
): number | null {
  let atMs = Math.floor(nowMs / minuteMs) * minuteMs;
  for (let step = 0; step < maxMinutes; step += 1) {
    atMs += minuteMs;
    if (isQuiet(hours, atMs, minuteOf) === (wanted === 'quiet')) return atMs;
  }
  return null;
}
