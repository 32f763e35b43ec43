import { hourMs } from '../../src-preload/durations.ts';
import type { JobFilter, Range } from '../../src-preload/history.ts';
import { marks } from '../../src-preload/judgement.ts';
import { startOfDay, startOfDayBefore } from '../../src-preload/format.ts';

/** The values of `after:`, `before:`, `took>` and the like. Pure. */

/** What the bound of a figure measures: a time (`took>30s`), or credits (`cost>0.5`). */
export type FigureKind = 'time' | 'credits';

const figureKinds = { took: 'time', waited: 'time', cost: 'credits' } as const satisfies Record<string, FigureKind>;
export type FigureField = keyof typeof figureKinds;

/** Whether a field is a figure, which is compared with a bound. */
export function isFigureField(field: string): field is FigureField {
  return Object.hasOwn(figureKinds, field);
}

/** All figures as alternatives of a regular expression: `took|waited|cost`. */
export const figurePattern = Object.keys(figureKinds).join('|');

/** What the bound of a figure measures. */
export function figureKindOf(field: FigureField): FigureKind {
  return figureKinds[field];
}

const marksByWord: ReadonlyMap<string, JobFilter['marks']> = new Map<string, JobFilter['marks']>([
  ['good', [4, 5]],
  ['bad', [1, 2]],
  ['any', [1, 2, 3, 4, 5]],
  ['none', [0]],
  ...marks.map((mark): [string, JobFilter['marks']] => [String(mark), [mark]]),
]);
/** The values of `mark:`. */
export const markValues = [...marksByWord.keys()];

/** The marks that match, where 0 stands for no mark. Null if the word is not valid. */
export function markedAs(value: string): JobFilter['marks'] | null {
  return marksByWord.get(value) ?? null;
}

/**
 * The moment for `after:` and `before:`: `today`, `yesterday`, `30m`, `2h`, `7d`, `2w`, `2026-11`, `2026-11-01` or
 * `2026-11-01T14:30`. Days begin at local midnight; `7d` are seven days including today. Null for anything else.
 */
export function momentOf(value: string, nowMs: number): number | null {
  if (value === 'today') return startOfDay(nowMs);
  if (value === 'yesterday') return startOfDayBefore(nowMs, 1);
  const relative = /^(\d{1,4})([mhdw])$/.exec(value);
  if (relative !== null) {
    const count = Number(relative[1]);
    switch (relative[2]) {
      case 'm':
        return nowMs - count * 60_000;
      case 'h':
        return nowMs - count * hourMs;
      case 'd':
        return startOfDayBefore(nowMs, Math.max(0, count - 1));
      default:
        return startOfDayBefore(nowMs, Math.max(0, count * 7 - 1));
    }
  }
  return dateOf(value);
}

function dateOf(value: string): number | null {
  const parts = /^(\d{4})-(\d{1,2})(?:-(\d{1,2})(?:t(\d{1,2}):(\d{2}))?)?$/i.exec(value);
  if (parts === null) return null;
  const [year, month, day, hour, minute] = parts.slice(1).map((part) => (part === undefined ? null : Number(part)));
  const at = new Date(year ?? 0, (month ?? 1) - 1, day ?? 1, hour ?? 0, minute ?? 0);
  const isReal = at.getMonth() === (month ?? 1) - 1 && at.getDate() === (day ?? 1) && (minute ?? 0) < 60;
  return isReal ? at.getTime() : null;
}

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  '': 1_000,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: hourMs,
};

/** The bound in `>30s` or `<0.5`, in milliseconds or credits. Null if it is not valid. */
export function boundOf(field: FigureField, value: string): Range | null {
  const parts = /^([<>])(\d+(?:\.\d+)?|\.\d+)([a-z]*)$/i.exec(value);
  if (parts === null) return null;
  const [, sign, number, unit = ''] = parts;
  const factor = factorOf(figureKinds[field], unit.toLowerCase());
  if (factor === null) return null;
  const bound = Number(number) * factor;
  return sign === '>' ? { over: bound, under: null } : { over: null, under: bound };
}

/** What a number with this unit is multiplied by, or null if there is no such unit. */
function factorOf(kind: FigureKind, unit: string): number | null {
  switch (kind) {
    case 'time':
      return unitMs[unit] ?? null;
    case 'credits':
      return unit === '' ? 1 : null;
  }
}

/** The range that all bounds of a figure make together. Null if there are none. */
export function rangeOf(field: FigureField, values: readonly string[]): Range | null {
  const bounds = values.map((value) => boundOf(field, value)).filter((bound) => bound !== null);
  if (bounds.length === 0) return null;
  return {
    over: bounds.findLast(({ over }) => over !== null)?.over ?? null,
    under: bounds.findLast(({ under }) => under !== null)?.under ?? null,
  };
}

/** Whether a text is one of these words. */
export function isOneOf<T extends string>(words: readonly T[], text: string): text is T {
  return words.some((word) => word === text);
}
