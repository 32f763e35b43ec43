import {
  anyConnection,
  hasValues,
  isFilterField,
  statusValues,
  type ColonField,
  type FilterToken,
} from '../data/parse-filter.ts';
import { figurePattern, markValues, type FigureField } from '../data/parse-filter-values.ts';
import { fieldNotes, markNotes, valueNotes } from '../messages/jobs/filter.ts';
import type { NamedCause } from '../../src-preload/failure-cause.ts';
import { useCall } from '../data/calls.ts';
import { useCurrentConnection } from '../data/session-store.ts';

const none: readonly NamedCause[] = [];

/** The causes of the connection's failures by name. Empty while `isWanted` is false. */
export function useCauseNames(isWanted: boolean): readonly NamedCause[] {
  const connectionId = useCurrentConnection()?.id;
  return useCall('failure:names', isWanted && connectionId !== undefined ? { connectionId } : null).data ?? none;
}

/** The text of a token's value: for a cause, its message instead of its number. */
export function tokenValueText({ field, value }: FilterToken, causes: readonly NamedCause[]): string {
  if (field !== 'cause') return value;
  return causes.find(({ id }) => String(id) === value)?.message ?? value;
}

/** A value for a field, and its meaning. */
interface Value {
  value: string;
  note: string;
  /** Its name, if the value is a number. */
  name?: string;
}

export interface Suggestion {
  label: string;
  note: string;
  /** The whole text of the box after choosing it. */
  completed: string;
  /** True if it completes a token, false if a value must still be typed. */
  isWhole: boolean;
}

/** A field as it is typed, up to its value: `status:`, `took>`. */
type FieldName = `${ColonField}:` | `${FigureField}${'>' | '<'}`;
const notes: Readonly<Record<FieldName, string>> = fieldNotes;
/** In the order of the suggestions. */
const fieldNames = Object.keys(notes).filter((name): name is FieldName => Object.hasOwn(notes, name));

/** The suggested moments. Dates and other periods must be typed. */
const moments = ['1h', 'today', 'yesterday', '7d', '30d'] as const;
const pastMoments = ['today', 'yesterday', '7d', '30d'] as const;
/** The suggested bounds for `took>`, `waited<` and `cost>`. */
const spans = ['1s', '10s', '30s', '1m', '5m', '1h'] as const;
const amounts = ['0.01', '0.1', '1', '10'] as const;

function noted<V extends string>(values: readonly V[], notes: Readonly<Record<V, string>>): Value[] {
  return values.map((value) => ({ value, note: notes[value] }));
}

/** Whether the typed word may still become the name of a field: `sta` for `status:`. */
export function mayBecomeField(typed: string): boolean {
  if (isInWords(typed)) return false;
  const word = (/\S*$/.exec(typed)?.[0] ?? '').toLowerCase();
  return word !== '' && fieldNames.some((field) => field !== word && field.startsWith(word));
}

/** The values of fields that only the engine knows. */
interface KnownValues {
  endpoints?: readonly Value[];
  batches?: readonly Value[];
  tags?: readonly Value[];
  labels?: readonly Value[];
  causes?: readonly Value[];
}

/** A field with its sign, and the text after it. Null while there is no field name yet. */
interface TypedValue {
  field: string;
  sign: string;
  value: string;
}

/** Whether what is typed is in quotes, without a field before them: `"status of the ke`. */
function isInWords(typed: string): boolean {
  const open = typed.split('"').length % 2 === 0 ? typed.lastIndexOf('"') : -1;
  return open !== -1 && typed[open - 1] !== ':';
}

/** The word being typed, including what is in quotes: `tag:"two wo`. */
function typedWord(typed: string): string {
  if (isInWords(typed)) return '';
  return /(?:[^\s":<>]+:"[^"]*|\S*)$/.exec(typed)?.[0] ?? '';
}

const valuePattern = new RegExp(String.raw`^(?:([^:<>]+)(:)|(${figurePattern})([<>]))"?(.*)$`, 'i');

function typedValue(word: string): TypedValue | null {
  const parts = valuePattern.exec(word);
  if (parts === null) return null;
  const [, named = '', colon = '', figure = '', sign = '', value = ''] = parts;
  return { field: (named || figure).toLowerCase(), sign: colon || sign, value: value.toLowerCase() };
}

/** The field whose value is being typed: `tag`. Null if there is none yet. */
export function fieldBeingTyped(typed: string): string | null {
  return typedValue(typedWord(typed))?.field ?? null;
}

/** The completions of the typed word: names of fields, or values of a field. None for plain words. */
export function suggest(typed: string, known: KnownValues = {}): Suggestion[] {
  const word = typedWord(typed);
  if (word === '') return [];
  const before = typed.slice(0, typed.length - word.length);
  const token = typedValue(word);
  if (token === null) {
    const wanted = word.toLowerCase();
    // One letter is the beginning of too many ordinary words.
    if (wanted.length < 2) return [];
    return fieldNames
      .filter((field) => field !== wanted && field.startsWith(wanted))
      .map((field) => ({ label: field, note: notes[field], completed: before + field, isWhole: false }));
  }
  const { field, sign, value } = token;
  const whole = (one: Value): Suggestion => ({
    label: one.name ?? one.value,
    note: one.note,
    completed: `${before}${field}${sign}${/\s/.test(one.value) ? `"${one.value}"` : one.value} `,
    isWhole: true,
  });
  const values = valuesOf(field, known);
  const nameOf = (one: Value): string => (one.name ?? one.value).toLowerCase();
  const startsWith = (one: Value): number => (nameOf(one).startsWith(value) ? 0 : 1);
  return values
    .filter((one) => nameOf(one).includes(value))
    .sort((a, b) => startsWith(a) - startsWith(b))
    .slice(0, 12)
    .map(whole);
}

function valuesOf(field: string, { endpoints, batches, tags, labels, causes }: KnownValues): readonly Value[] {
  if (!isFilterField(field)) return [];
  switch (field) {
    case 'status':
      return statusValues.map((value) => ({ value, note: '' }));
    case 'after':
      return noted(moments, valueNotes.after);
    case 'before':
      return noted(pastMoments, valueNotes.before);
    case 'has':
      return noted(hasValues, valueNotes.has);
    case 'mark':
      return markValues.map((value) => ({ value, note: markNotes[value] ?? '' }));
    case 'connection':
      return [{ value: anyConnection.value, note: valueNotes.anyConnection }];
    case 'endpoint':
      return endpoints ?? [];
    case 'batch':
      return batches ?? [];
    case 'tag':
    case '-tag':
      return tags ?? [];
    case 'label':
      return labels ?? [];
    case 'cause':
      return causes ?? [];
    case 'took':
    case 'waited':
      return noted(spans, valueNotes.span);
    case 'cost':
      return amounts.map((value) => ({ value, note: valueNotes.cost }));
    case 'id':
    case 'same-input':
      return [];
  }
}
