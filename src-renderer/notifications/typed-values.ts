import { readMinute } from '../../src-preload/time-of-day.ts';
import type { TypedValue } from '../data/typed-field.tsx';
import { typedProblems } from '../messages/notifications/settings.ts';

/** A time of day that differs from the other end of its span, both in minutes since midnight. */
export function readTime(text: string, other: number): TypedValue<number> {
  const value = readMinute(text);
  if (value === null) return { problem: typedProblems.time };
  return value === other ? { problem: typedProblems.sameTime } : { value };
}

/** A whole number from 1 to `max`. */
export function readWhole(text: string, max: number): TypedValue<number> {
  const value = /^\d{1,4}$/.test(text.trim()) ? Number(text.trim()) : 0;
  return value >= 1 && value <= max ? { value } : { problem: typedProblems.whole(max) };
}
