import { dayMs, hourMs, minuteMs } from './durations.ts';

/** Reads and writes durations in the form of the policy fields. Pure. */

const unitMs: Record<string, number> = {
  ms: 1,
  s: 1_000,
  sec: 1_000,
  m: minuteMs,
  min: minuteMs,
  h: hourMs,
  hr: hourMs,
  hour: hourMs,
  hours: hourMs,
  d: dayMs,
  day: dayMs,
  days: dayMs,
};

/**
 * Milliseconds for texts such as `20 min`, `1 h 30 min`, `90s`, `1:30`, `1:02:03`, `600000 ms`. A bare number is in
 * seconds. Null if it is not a duration.
 */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim().toLowerCase().replaceAll(',', '');
  if (trimmed === '') return null;
  const clock = /^(?:(\d+):)?(\d{1,2}):(\d{2})$/.exec(trimmed);
  if (clock !== null) return (Number(clock[1] ?? 0) * 3_600 + Number(clock[2]) * 60 + Number(clock[3])) * 1_000;
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Math.round(Number(trimmed) * 1_000);
  let total = 0;
  let rest = trimmed;
  while (rest !== '') {
    const part = /^(\d+(?:\.\d+)?)\s*([a-z]+)\s*/.exec(rest);
    const factor = part?.[2] === undefined ? undefined : unitMs[part[2]];
    if (part === null || factor === undefined) return null;
    total += Number(part[1]) * factor;
    rest = rest.slice(part[0].length);
  }
  return Math.round(total);
}

/** The shortest exact form in `d`, `h`, `min`, `s` and `ms`: 1,200,000 is `20 min`. */
export function writeDuration(ms: number): string {
  const units: [string, number][] = [
    ['d', dayMs],
    ['h', hourMs],
    ['min', minuteMs],
    ['s', 1_000],
  ];
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count} ${unit}`);
    rest -= count * size;
  }
  if (rest > 0) parts.push(`${rest} ms`);
  return parts.length === 0 ? '0 s' : parts.join(' ');
}
