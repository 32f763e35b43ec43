import { markValues, momentOf, boundOf, isFigureField } from './parse-filter-values.ts';
import { anyConnection, hasValues, statusValues, type FilterToken } from './parse-filter.ts';

/** What people write for a status, besides a part of its name or a typo in it. */
const statusWords: ReadonlyMap<string, (typeof statusValues)[number]> = new Map<string, (typeof statusValues)[number]>([
  ['done', 'completed'],
  ['finished', 'completed'],
  ['success', 'completed'],
  ['succeeded', 'completed'],
  ['ok', 'completed'],
  ['error', 'failed'],
  ['errors', 'failed'],
  ['running', 'in_progress'],
  ['active', 'in_progress'],
  ['queued', 'in_queue'],
  ['pending', 'in_queue'],
  ['timeout', 'timed_out'],
  ['deleted', 'gone'],
  ['unknown', 'outcome_unknown'],
]);

/** The valid token that was probably meant by an invalid one, or null. Pure. */
export function mendedToken(token: FilterToken): FilterToken | null {
  const value = mendedValue(token);
  return value === null ? null : { field: token.field, value };
}

function mendedValue({ field, value }: FilterToken): string | null {
  if (isFigureField(field)) {
    // A figure without a sign is read as a minimum.
    const written = /^[<>]/.test(value) ? value : `>${value}`;
    const bound = written
      .toLowerCase()
      .replace(/(sec|secs|second|seconds)$/, 's')
      .replace(/(mins|minute|minutes)$/, 'm');
    const figure = bound.replace(/(hr|hrs|hour|hours)$/, 'h').replace(',', '.');
    return boundOf(field, figure) === null ? null : figure;
  }
  switch (field) {
    case 'status':
      return statusWords.get(value) ?? nearest(value.replaceAll(/[\s-]/g, '_'), statusValues);
    case 'has':
      return nearest(value, hasValues);
    case 'mark':
      return nearest(value, markValues);
    case 'connection':
      return anyConnection.value;
    case 'after':
    case 'before':
      return mendedMoment(value);
    case 'endpoint':
    case 'tag':
    case '-tag':
    case 'label':
    case 'id':
    case 'batch':
    case 'cause':
    case 'same-input':
      return null;
  }
}

/** `lastweek`, `3days`, `2-weeks`, `2026.11.01` as `7d`, `3d`, `2w`, `2026-11-01`. Null if it is not like a time. */
function mendedMoment(value: string): string | null {
  const meant = [spanOf(value), value.replaceAll(/[./]/g, '-')].find(
    (one) => one !== null && momentOf(one, 0) !== null,
  );
  return meant ?? nearest(value, ['today', 'yesterday']);
}

function spanOf(value: string): string | null {
  const parts = /^(?:last|past)?[-_]?(\d{1,4})?[-_]?(min|minute|h|hr|hour|d|day|w|wk|week|month)s?(?:ago)?$/.exec(
    value,
  );
  if (parts === null) return null;
  const count = Number(parts[1] ?? 1);
  const unit = parts[2] ?? '';
  if (unit === 'month') return `${count * 30}d`;
  return unit.startsWith('w') && count === 1 ? '7d' : `${count}${unit.charAt(0)}`;
}

/** The word that begins like the text, contains it, or differs from it by at most two letters; null if none does. */
function nearest(text: string, words: readonly string[]): string | null {
  if (text.length < 3) return null;
  const found = words.find((word) => word.startsWith(text)) ?? words.find((word) => word.includes(text));
  if (found !== undefined) return found;
  const [best] = words
    .map((word) => ({ word, slips: slipsBetween(text, word) }))
    .filter(({ word, slips }) => slips <= (word.length < 6 ? 1 : 2))
    .toSorted((one, other) => one.slips - other.slips);
  return best?.word ?? null;
}

/** How many letters must be added, removed or replaced to make one text of the other (Levenshtein). */
function slipsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
