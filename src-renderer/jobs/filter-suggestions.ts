import { anyConnection, hasValues, statusValues } from '../data/parse-filter.ts';
import { markValues } from '../data/parse-filter-values.ts';

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

const fields: readonly { field: string; note: string }[] = [
  { field: 'status:', note: 'failed, completed, in_queue' },
  { field: 'endpoint:', note: 'by name or id' },
  { field: 'tag:', note: 'with a tag' },
  { field: '-tag:', note: 'without a tag' },
  { field: 'mark:', note: 'good, bad, 1 to 5, none' },
  { field: 'label:', note: 'with a label' },
  { field: 'after:', note: 'today, 7d, 2026-11-01' },
  { field: 'before:', note: 'yesterday, 7d, 2026-11-01' },
  { field: 'took>', note: 'ran for more than 30s, 2m' },
  { field: 'took<', note: 'ran for less than 30s, 2m' },
  { field: 'waited>', note: 'waited more than 1m' },
  { field: 'waited<', note: 'waited less than 1m' },
  { field: 'cost>', note: 'cost more than 0.5 credits' },
  { field: 'cost<', note: 'cost less than 0.5 credits' },
  { field: 'id:', note: 'the beginning of a job id' },
  { field: 'batch:', note: 'by name' },
  { field: 'cause:', note: 'failed for this reason' },
  { field: 'same-input:', note: 'as the job with this id' },
  { field: 'has:', note: 'images, error, stream' },
  { field: 'connection:', note: 'any, including removed ones' },
];

const hasNotes: Readonly<Record<(typeof hasValues)[number], string>> = {
  images: 'has an image in its output',
  error: 'failed, refused or timed out',
  stream: 'has streamed output',
};

const markNotes: Readonly<Record<string, string>> = {
  good: '4 and 5',
  bad: '1 and 2',
  any: 'with a mark',
  none: 'without a mark',
};

/** The suggested moments. Dates and other periods must be typed. */
const afterValues = [
  { value: '1h', note: 'the last hour' },
  { value: 'today', note: 'since midnight' },
  { value: 'yesterday', note: 'since yesterday, 00:00' },
  { value: '7d', note: 'the last seven days' },
  { value: '30d', note: 'the last thirty days' },
] as const;
const beforeValues = [
  { value: 'today', note: 'until last midnight' },
  { value: 'yesterday', note: 'until yesterday, 00:00' },
  { value: '7d', note: 'older than seven days' },
  { value: '30d', note: 'older than thirty days' },
] as const;

/** The suggested bounds for `took>`, `waited<` and `cost>`. */
const spanValues = [
  { value: '1s', note: 'one second' },
  { value: '10s', note: 'ten seconds' },
  { value: '30s', note: 'half a minute' },
  { value: '1m', note: 'one minute' },
  { value: '5m', note: 'five minutes' },
  { value: '1h', note: 'one hour' },
] as const;
const costValues = [
  { value: '0.01', note: 'credits' },
  { value: '0.1', note: 'credits' },
  { value: '1', note: 'credits' },
  { value: '10', note: 'credits' },
] as const;

/** Whether the typed word may still become the name of a field: `sta` for `status:`. */
export function mayBecomeField(typed: string): boolean {
  const word = (/\S*$/.exec(typed)?.[0] ?? '').toLowerCase();
  return word !== '' && fields.some(({ field }) => field !== word && field.startsWith(word));
}

/** The values of fields that only the engine knows. */
export interface KnownValues {
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

/** The word being typed, including what is in quotes: `tag:"two wo`. */
function typedWord(typed: string): string {
  return /(?:[^\s":<>]+:"[^"]*|\S*)$/.exec(typed)?.[0] ?? '';
}

function typedValue(word: string): TypedValue | null {
  const parts = /^(?:([^:<>]+)(:)|(took|waited|cost)([<>]))"?(.*)$/i.exec(word);
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
  const asked = typedValue(word);
  if (asked === null) {
    const wanted = word.toLowerCase();
    // One letter is the beginning of too many ordinary words.
    if (wanted.length < 2) return [];
    return fields
      .filter(({ field }) => field !== wanted && field.startsWith(wanted))
      .map(({ field, note }) => ({ label: field, note, completed: before + field, isWhole: false }));
  }
  const { field, sign, value } = asked;
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
  switch (field) {
    case 'status':
      return statusValues.map((value) => ({ value, note: '' }));
    case 'after':
      return afterValues;
    case 'before':
      return beforeValues;
    case 'has':
      return hasValues.map((value) => ({ value, note: hasNotes[value] }));
    case 'mark':
      return markValues.map((value) => ({ value, note: markNotes[value] ?? '' }));
    case 'connection':
      return [{ value: anyConnection.value, note: 'including removed ones' }];
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
      return spanValues;
    case 'cost':
      return costValues;
    default:
      return [];
  }
}
