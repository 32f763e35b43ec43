import type { QuietHours } from '../../src-preload/settings.ts';

/** The quiet part of each hour of a day, from 0 to 1. `from` equals `to` if none of it is quiet. Pure. */
export function quietShares({
  fromMinute,
  toMinute,
}: Pick<QuietHours, 'fromMinute' | 'toMinute'>): { hour: number; from: number; to: number }[] {
  return Array.from({ length: 24 }, (_, hour) => {
    const begins = hour * 60;
    const isInSpan = (minute: number): boolean =>
      fromMinute <= toMinute ? minute >= fromMinute && minute < toMinute : minute >= fromMinute || minute < toMinute;
    const quiet = Array.from({ length: 60 }, (_minute, at) => at).filter((at) => isInSpan(begins + at));
    const [first] = quiet;
    const last = quiet.at(-1);
    return first === undefined || last === undefined
      ? { hour, from: 0, to: 0 }
      : { hour, from: first / 60, to: (last + 1) / 60 };
  });
}
