import { updatableFields, type TemplateSource, type UpdatableField } from '../../src-preload/template.ts';
import { formatDay, formatMinute } from '../../src-preload/format.ts';

/** A moment: `today, 09:12`, `18 Nov, 09:12`. */
export function momentText(atMs: number, nowMs: number): string {
  return `${formatDay(atMs, nowMs)}, ${formatMinute(atMs)}`;
}

/** Where a template is known from, as a phrase. */
export function sourceText(source: TemplateSource): string {
  return source.kind === 'update-reply' ? 'from an update' : `from pod ${source.podId}`;
}

/** How the form shows a value that is not a text. Absent, null and empty are different. */
export function emptinessOf(value: unknown): 'absent' | 'null' | 'empty' | null {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  return value === '' || (Array.isArray(value) && value.length === 0) ? 'empty' : null;
}

export const emptinessMeaning: Readonly<Record<'absent' | 'null' | 'empty', string>> = {
  absent: 'No reply held this field: its value is not known.',
  null: 'The service gave null: it has no value.',
  empty: 'The service gave an empty value.',
};

/** The field that a refusal of the service names, so that it is shown there. Null if it names none or several. */
export function fieldNamedIn(text: string): UpdatableField | null {
  const named = updatableFields.filter((field) => new RegExp(`(?<![\\w.])${field}(?!\\w)`).test(text));
  return named.length === 1 ? (named[0] ?? null) : null;
}

const small = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** `two`, `12`. */
export function countText(count: number): string {
  return small[count] ?? String(count);
}

/** Dots instead of a hidden value. Always the same number, so that they do not reveal its length. */
export const dots = '••••••••••••';
