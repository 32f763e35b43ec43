import { minuteMs } from '../../src-preload/durations.ts';
import type { QuietHours } from '../../src-preload/settings.ts';
import { localMinute } from './clock.ts';

/** A day that loses or gains an hour, and then some. */
const mostMinutes = 26 * 60;

/**
 * True within quiet hours by the wall clock: from `fromMinute` up to, not with, `toMinute`, over midnight where that is
 * earlier. Equal ones are no hours at all.
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
 * The next full minute that is quiet, or is not, as asked; null when none is within a day. Looked up minute by minute:
 * an hour that comes twice, or not at all, is then nothing special.
 */
export function nextMinute(
  hours: QuietHours,
  wanted: 'quiet' | 'loud',
  nowMs: number,
  minuteOf: (atMs: number) => number = localMinute,
): number | null {
  let atMs = Math.floor(nowMs / minuteMs) * minuteMs;
  for (let step = 0; step < mostMinutes; step += 1) {
    atMs += minuteMs;
    if (isQuiet(hours, atMs, minuteOf) === (wanted === 'quiet')) return atMs;
  }
  return null;
}
