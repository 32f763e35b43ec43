import { formatClock, formatCountdown, formatDay, formatDuration, formatMinute } from '../../../src-preload/format.ts';

/** A limit: `10:00` from a minute on, and `45 s` below. */
export function formatLimit(ms: number): string {
  return ms < 60_000 ? `${Math.round(ms / 1000)} s` : formatCountdown(ms);
}

/** How long a request took: below a second in milliseconds, which tell fast ones apart. */
export function formatTook(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : formatDuration(ms);
}

/** A position in a recording: `0:07`, `1:02:03`. */
export function formatPosition(seconds: number): string {
  return formatCountdown(seconds * 1_000);
}

/** A time to the second if it is today, and else to the minute with its day: `14:32:07`, `18 Nov, 14:32`. */
export function formatWhen(atMs: number, nowMs: number): string {
  const day = formatDay(atMs, nowMs);
  return day === 'today' ? formatClock(atMs) : `${day}, ${formatMinute(atMs)}`;
}

/** A time to the second, with the day if it is not today: `14:32:07`, `18 Nov, 14:32:07`. */
export function formatMoment(atMs: number, nowMs: number): string {
  const day = formatDay(atMs, nowMs);
  return day === 'today' ? formatClock(atMs) : `${day}, ${formatClock(atMs)}`;
}
