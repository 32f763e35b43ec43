import { dayMs as day, hourMs as hour, minuteMs as minute } from '../../src-preload/durations.ts';
import { formatMinute, startOfDay } from '../../src-preload/format.ts';

/** The steps of a time axis, in milliseconds. */
const timeSteps = [
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  7 * day,
  14 * day,
];

/** Whole numbers from 0 to at least `max`, at most four steps of 1, 2 or 5 times a power of ten. */
export function valueTicks(max: number): number[] {
  const top = Math.max(1, Math.ceil(max));
  for (let power = 1; ; power *= 10) {
    for (const digit of [1, 2, 5]) {
      const step = digit * power;
      const count = Math.ceil(top / step);
      if (count <= 4) return Array.from({ length: count + 1 }, (_, index) => index * step);
    }
  }
}

/** At most `most` local times at round steps between two epoch times. */
export function timeTicks(fromMs: number, toMs: number, max: number): number[] {
  const step = timeSteps.find((one) => (toMs - fromMs) / one <= max);
  if (step === undefined) return monthTicks(fromMs, toMs, max);
  const start = new Date(fromMs);
  const ticks: number[] = [];
  for (let minutes = 0; ; minutes += step / minute) {
    // By the wall clock, so that they stay round after a day of 23 or 25 hours. An hour that is skipped has no ticks.
    const atMs = new Date(start.getFullYear(), start.getMonth(), start.getDate(), 0, minutes).getTime();
    if (!(atMs <= toMs)) return ticks;
    if (atMs >= fromMs && atMs !== ticks.at(-1)) ticks.push(atMs);
  }
}

function monthTicks(fromMs: number, toMs: number, max: number): number[] {
  const start = new Date(startOfDay(fromMs));
  start.setDate(1);
  const months = Math.max(1, Math.ceil((toMs - fromMs) / (30 * day) / max));
  const ticks: number[] = [];
  for (const at = start; at.getTime() <= toMs; at.setMonth(at.getMonth() + months))
    if (at.getTime() >= fromMs) ticks.push(at.getTime());
  return ticks;
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** The text of a tick on an axis of `spanMs`: a time of day, or a day. */
export function tickText(atMs: number, spanMs: number): string {
  return spanMs > 2 * day ? dayFormat.format(atMs) : formatMinute(atMs);
}
