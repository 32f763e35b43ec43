import { formatClock, formatDay, formatMinute } from '../design/format.ts';

/** Up to so far away a time of day alone is clear, also across midnight. */
const sameDayMs = 12 * 3_600_000;

/** A time near `nowMs` as `14:32`, of another day as `18 Nov, 14:32`. */
export function dayAndTime(atMs: number, nowMs: number): string {
  return withDay(formatMinute(atMs), atMs, nowMs);
}

/** The same with seconds, where a moment is meant. */
export function dayAndClock(atMs: number, nowMs: number): string {
  return withDay(formatClock(atMs), atMs, nowMs);
}

function withDay(time: string, atMs: number, nowMs: number): string {
  const day = formatDay(atMs, nowMs);
  return day === 'today' || Math.abs(nowMs - atMs) < sameDayMs ? time : `${day}, ${time}`;
}

/** `4.2`, `0.3`, `31`: a rate per minute, no more exact than it is. */
export function rateText(perMinute: number): string {
  if (perMinute === 0) return '0';
  if (perMinute >= 9.95) return Math.round(perMinute).toLocaleString('en-US');
  return perMinute < 0.05 ? '< 0.1' : perMinute.toFixed(1);
}
