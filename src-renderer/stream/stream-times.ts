import type { OutputTimes } from '../../src-preload/settings.ts';
import { formatClock } from '../../src-preload/format.ts';
import type { ArrivalTimes } from './arrival-times.ts';

/** The format of times in a stream. Pure. */

/** To a tenth of a second: `0:04.2`, `1:02:03.0`. Times before the start count as 0. */
function elapsedText(ms: number): string {
  const tenths = Math.floor(Math.max(0, ms) / 100);
  const seconds = Math.floor(tenths / 10);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const rest = `${String(seconds % 60).padStart(2, '0')}.${tenths % 10}`;
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`;
}

/**
 * A time of arrival in the chosen form: since `startMs`, or on the clock (`14:32:07.250`), which is also the default.
 * Both times are epoch milliseconds.
 */
export function arrivalText(atMs: number, times: OutputTimes, startMs: number): string {
  if (times === 'since-start') return elapsedText(atMs - startMs);
  return `${formatClock(atMs)}.${String(atMs % 1000).padStart(3, '0')}`;
}

/** The time to show beside a row of streamed text, by where the row begins and ends. Undefined without times. */
export function timesBeside(
  arrivals: ArrivalTimes,
  times: OutputTimes,
  startMs: number,
): ((from: number, to: number) => string | null) | undefined {
  if (times === 'none') return undefined;
  return (from, to) => {
    const atMs = arrivals.firstWithin(from, to);
    return atMs === null ? null : arrivalText(atMs, times, startMs);
  };
}
