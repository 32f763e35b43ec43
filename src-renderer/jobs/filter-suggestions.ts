import { anyConnection, markValues, sinceValues, statusValues } from '../data/filter-query.ts';

export interface Suggestion {
  label: string;
  note: string;
  /** The whole text of the box once taken. */
  completed: string;
  /** True when it completes a token, false when a value still has to be typed. */
  isWhole: boolean;
}

const fields: readonly { field: string; note: string }[] = [
  { field: 'status:', note: 'failed, completed, in_queue' },
  { field: 'endpoint:', note: 'by name or id' },
  { field: 'tag:', note: 'with a tag' },
  { field: '-tag:', note: 'without a tag' },
  { field: 'mark:', note: 'good, bad, 1 to 5, none' },
  { field: 'label:', note: 'with a label' },
  { field: 'since:', note: 'hour, today, week' },
  { field: 'connection:', note: 'any, including removed ones' },
];

const sinceNotes: Readonly<Record<string, string>> = {
  hour: 'the last hour',
  today: 'since midnight',
  week: 'the last seven days',
};

const markNotes: Readonly<Record<string, string>> = {
  good: '4 and 5',
  bad: '1 and 2',
  any: 'with a mark',
  none: 'without a mark',
};

/** Whether the word being typed may still become the name of a field: `sta` for `status:`. */
export function mayBecomeField(typed: string): boolean {
  const word = (/\S*$/.exec(typed)?.[0] ?? '').toLowerCase();
  return word !== '' && fields.some(({ field }) => field !== word && field.startsWith(word));
}

/** What could complete the word being typed: a field's name, or a field's value. Nothing for plain words. */
export function suggest(typed: string, endpoints: readonly { value: string; note: string }[]): Suggestion[] {
  const word = /\S*$/.exec(typed)?.[0] ?? '';
  if (word === '') return [];
  const before = typed.slice(0, typed.length - word.length);
  const colon = word.indexOf(':');
  if (colon === -1) {
    const wanted = word.toLowerCase();
    // One letter is the start of too many ordinary words.
    if (wanted.length < 2) return [];
    return fields
      .filter(({ field }) => field.startsWith(wanted))
      .map(({ field, note }) => ({ label: field, note, completed: before + field, isWhole: false }));
  }
  const field = word.slice(0, colon).toLowerCase();
  const value = word.slice(colon + 1).toLowerCase();
  const whole = (one: { value: string; note: string }): Suggestion => ({
    label: one.value,
    note: one.note,
    completed: `${before}${field}:${/\s/.test(one.value) ? `"${one.value}"` : one.value} `,
    isWhole: true,
  });
  const values: readonly { value: string; note: string }[] =
    field === 'status'
      ? statusValues.map((one) => ({ value: one, note: '' }))
      : field === 'since'
        ? sinceValues.map((one) => ({ value: one, note: sinceNotes[one] ?? '' }))
        : field === 'mark'
          ? markValues.map((one) => ({ value: one, note: markNotes[one] ?? '' }))
          : field === 'connection'
            ? [{ value: anyConnection.value, note: 'including removed ones' }]
            : field === 'endpoint'
              ? endpoints
              : [];
  const startsWith = (one: { value: string }): number => (one.value.toLowerCase().startsWith(value) ? 0 : 1);
  return values
    .filter((one) => one.value.toLowerCase().includes(value))
    .sort((a, b) => startsWith(a) - startsWith(b))
    .slice(0, 12)
    .map(whole);
}
