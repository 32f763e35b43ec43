/**
 * How numbers are written (design language: Numbers). Pure: every function takes plain numbers and returns the text.
 */

export {
  formatAge,
  formatBytes,
  formatCount,
  formatCountOf,
  formatCountdown,
  formatDuration,
  formatRoundDuration,
  formatIn,
  formatLongDay,
  formatMeasured,
} from '../../src-preload/format.ts';

/** Local wall-clock time of an epoch time: `14:32:07`. */
export function formatClock(ms: number): string {
  const at = new Date(ms);
  const pad = (n: number): string => String(n).padStart(2, '0');
  return `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
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
  // Twelve hours before midnight is yesterday on every day, even when clocks change.
  if (day === startOfDay(today - 43_200_000)) return 'yesterday';
  return new Date(ms).getFullYear() === new Date(nowMs).getFullYear() ? dayFormat.format(ms) : dayYearFormat.format(ms);
}

/** Local midnight before an epoch time. */
export function startOfDay(ms: number): number {
  const at = new Date(ms);
  at.setHours(0, 0, 0, 0);
  return at.getTime();
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
