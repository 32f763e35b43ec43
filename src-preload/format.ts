import { dayMs, hourMs, minuteMs } from './durations.ts';

/** How numbers are written, in main and in windows (design language: Numbers). Pure. */

const counts = new Intl.NumberFormat('en-US');

/**
 * Under 10 ms whole milliseconds (`4 ms`, `0 ms`), under 10 s two decimals (`6.42 s`), under 60 s one (`39.6 s`), then
 * `1:58` and `23:59:19`. `ms` below 0 counts as 0.
 */
export function formatDuration(ms: number): string {
  const wholeMs = Math.round(Math.max(0, ms));
  // Two decimals of a second would write all of these as 0.00 s or 0.01 s.
  if (wholeMs < 10) return `${wholeMs} ms`;
  const seconds = ms / 1000;
  // The form depends on the rounded value, so that 9.996 s is written "10.0 s" and not "10.00 s".
  if (Math.round(seconds * 100) < 1_000) return `${seconds.toFixed(2)} s`;
  if (Math.round(seconds * 10) < 600) return `${seconds.toFixed(1)} s`;
  return formatClockSpan(seconds);
}

/** What was measured, as `formatDuration` writes it; an en dash for what is not known. */
export function formatMeasured(ms: number | null): string {
  return ms === null ? '–' : formatDuration(ms);
}

/** A limit in its largest unit: `45 s`, `10 min`, `1.5 h`. */
export function formatRoundDuration(ms: number): string {
  if (ms < minuteMs) return `${ms / 1_000} s`;
  if (ms < hourMs) return `${Math.round(ms / 6_000) / 10} min`;
  return `${Math.round(ms / 360_000) / 10} h`;
}

/** A running clock in whole seconds: `0:09`, `1:58`, `23:59:19`. For countdowns and waits that tick. */
export function formatCountdown(ms: number): string {
  return formatClockSpan(Math.max(0, ms) / 1000);
}

/** A time `ms` from now: `in 14 s`, `in 2:10`, or `now` when it is due. */
export function formatIn(ms: number): string {
  if (ms <= 0) return 'now';
  const seconds = Math.ceil(ms / 1000);
  return seconds < 60 ? `in ${seconds} s` : `in ${formatClockSpan(seconds)}`;
}

function formatClockSpan(seconds: number): string {
  const whole = Math.floor(seconds + 1e-6);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(whole % 60)}` : `${minutes}:${twoDigits(whole % 60)}`;
}

/** An age in one unit: `41 s`, `8 m`, `22 h`, `6 d`, `2 y`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  const days = Math.floor(seconds / 86_400);
  return days < 365 ? `${days} d` : `${Math.floor(days / 365)} y`;
}

/** Decimal sizes (ruling 33): `812 B`, `1.9 KB`, `214 KB`, `1.2 GB`. One decimal below ten of a unit. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${Math.max(0, Math.round(bytes))} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = -1;
  do {
    value /= 1_000;
    unit += 1;
    // 999.6 KB would be rounded to "1000 KB". It is 1.0 MB.
  } while (Math.round(value) >= 1_000 && unit < units.length - 1);
  return `${value < 9.95 ? value.toFixed(1) : String(Math.round(value))} ${units[unit] ?? 'TB'}`;
}

const longDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** The local day in full: `24 November 2026`. */
export function formatLongDay(ms: number): string {
  return longDay.format(ms);
}

/** A count with thousands separators: `18,204`. */
export function formatCount(n: number): string {
  return counts.format(n);
}

/** A count with its noun: `1 job`, `5 jobs`. */
export function formatCountOf(n: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(n)} ${n === 1 ? noun : plural}`;
}

/** How often, or how much: `twice`, `3 times`, `2.5 times`. */
export function formatTimes(times: number): string {
  return times === 2 ? 'twice' : `${times} times`;
}

/** Credits with two decimals, or four below one credit. An amount above zero is never written 0.00. */
export function formatCredits(credits: number): string {
  if (credits > 0 && credits < 0.0001) return 'under 0.0001';
  const isSmall = credits > 0 && credits < 0.995;
  return credits.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: isSmall ? 4 : 2 });
}

/** Local wall-clock time of an epoch time: `14:32:07`. */
export function formatClock(ms: number): string {
  const at = new Date(ms);
  return `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}:${twoDigits(at.getSeconds())}`;
}

/** Local wall-clock time without seconds: `14:32`. */
export function formatMinute(ms: number): string {
  return formatClock(ms).slice(0, 5);
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayYearFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** A day as lists show it: `today`, `yesterday`, `18 Nov`, `18 Nov 2024`. */
export function formatDay(ms: number, nowMs: number): string {
  const day = startOfDay(ms);
  const today = startOfDay(nowMs);
  if (day === today) return 'today';
  if (day === startOfDayBefore(nowMs, 1)) return 'yesterday';
  return new Date(ms).getFullYear() === new Date(nowMs).getFullYear() ? dayFormat.format(ms) : dayYearFormat.format(ms);
}

/** The local day as a date that can be typed and sorted: `2026-11-21`. */
export function formatDate(ms: number): string {
  const at = new Date(ms);
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
}

/** Local midnight before an epoch time. */
export function startOfDay(ms: number): number {
  const at = new Date(ms);
  at.setHours(0, 0, 0, 0);
  return at.getTime();
}

/** Local midnight `days` days before the day of an epoch time. */
export function startOfDayBefore(ms: number, days: number): number {
  // Computed from noon, so that days of 23 or 25 hours count as one.
  return startOfDay(startOfDay(ms) + dayMs / 2 - days * dayMs);
}

/** `20 s`, `3 min`, `2 h 10 min`: an estimate, so without false precision. */
export function spanText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

function twoDigits(n: number): string {
  return String(n).padStart(2, '0');
}
