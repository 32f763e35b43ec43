import { hourMs } from '../../../src-preload/durations.ts';
import { formatClock, formatDay, formatMinute } from '../../../src-preload/format.ts';

/** Within this distance the time of day alone is clear, even across midnight. */
const sameDayMs = 12 * hourMs;

/** A time as `14:32`, or as `18 Nov, 14:32` if it is on another day than `nowMs`. */
export function dayAndTime(atMs: number, nowMs: number): string {
  return withDay(formatMinute(atMs), atMs, nowMs);
}

/** As `dayAndTime`, with seconds. */
export function dayAndClock(atMs: number, nowMs: number): string {
  return withDay(formatClock(atMs), atMs, nowMs);
}

function withDay(time: string, atMs: number, nowMs: number): string {
  const day = formatDay(atMs, nowMs);
  return day === 'today' || Math.abs(nowMs - atMs) < sameDayMs ? time : `${day}, ${time}`;
}

/** `4.2`, `0.3`, `31`: a rate per minute, with as many digits as it is exact to. */
export function rateText(perMinute: number): string {
  if (perMinute === 0) return '0';
  if (perMinute >= 9.95) return Math.round(perMinute).toLocaleString('en-US');
  return perMinute < 0.05 ? '< 0.1' : perMinute.toFixed(1);
}
