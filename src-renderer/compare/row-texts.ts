import { decodeString } from '../../src-preload/json-spans.ts';
import type { Steps } from '../stream/use-steps.ts';
import { differencesText } from '../messages/compare/differences.ts';
import type { DiffRow, PlacedValue } from './json-diff.ts';
import { diffTexts, wholeText, type TextDiff } from './text-cell.ts';

/** A string of at least this length is compared by words or lines. */
const textFromChars = 60;
/** A longer string without a space near its beginning is data, not text. */
const dataFromChars = 2_000;

/** The texts of a row, each compared with the first. Null for a value that is not a text. */
export type RowTexts = readonly (TextDiff | null)[];

/** Whether the strings of a row are texts to be read. */
function isTextRow({ values }: Pick<DiffRow, 'values'>): boolean {
  return values.some(
    (value) => value?.kind === 'string' && (value.text.length > textFromChars || value.text.includes('\\n')),
  );
}

/** Whether a string is data such as base64, not a text. */
export function isData({ text }: PlacedValue): boolean {
  return text.length > dataFromChars && !/\s|\\n/.test(text.slice(0, 400));
}

/** Compares the texts of a row with the first, in small steps. Null if the row has none. */
export function* compareRowTexts(row: DiffRow): Steps<RowTexts | null> {
  if (!isTextRow(row)) return null;
  const texts = row.values.map((value) =>
    value?.kind === 'string' && !isData(value) ? decodeString(value.text) : null,
  );
  const first = texts[0] ?? null;
  const diffs: (TextDiff | null)[] = [];
  for (const [side, text] of texts.entries()) {
    if (text === null) diffs.push(null);
    else if (side === 0 || first === null || row.isEqual) diffs.push(wholeText(text));
    else diffs.push(yield* diffTexts(first, text));
  }
  // With only one other text, the first shows what the other lacks.
  const other = diffs[1] ?? null;
  if (diffs.length === 2 && first !== null && other !== null && !row.isEqual) diffs[0] = other;
  return diffs;
}

/** `4 changes` between the two texts of a row. Empty if they are not compared. */
export function changesText(texts: RowTexts | null): string {
  const [first, second, ...others] = texts ?? [];
  if (others.length > 0 || first == null || second == null || second.changes === 0) return '';
  return differencesText.changes(second.changes);
}
