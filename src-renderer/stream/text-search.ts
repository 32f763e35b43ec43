import { plainPattern } from '../../src-preload/text-pattern.ts';
import { lastAtOrBefore, type TextSource } from './text-source.ts';

/** Matches found at most: more are neither counted nor gone to. */
export const mostMatches = 100_000;

/** A search through a text that may still grow. */
export interface TextSearch {
  /** Length of what is looked for. */
  readonly wantedChars: number;
  /** Places of the matches found so far, ascending. */
  readonly matches: readonly number[];
  /** True once all of the text so far was searched, or the matches are enough. */
  readonly isDone: boolean;
  /** Searches one more segment. */
  step(): void;
}

/** Finds `wanted` in text that is laid out: a space is any space or line end. Upper or lower case alike. */
export function laidOutPattern(wanted: string): RegExp {
  return new RegExp(plainPattern(wanted).source.replaceAll(/\s+/g, '\\s+'), 'gi');
}

/** Looks for `wanted` as it stands, upper or lower case alike; an empty one is found nowhere. */
export function createTextSearch(source: Pick<TextSource, 'segments'>, wanted: string): TextSearch {
  const matches: number[] = [];
  const pattern = plainPattern(wanted);
  let searched = 0;
  /** Where the text not searched through begins, and what of it stands in former segments. */
  let tailStart = 0;
  let tail = '';
  return {
    wantedChars: wanted.length,
    matches,
    get isDone() {
      return wanted === '' || searched === source.segments.length || matches.length === mostMatches;
    },
    step() {
      const text = tail + (source.segments[searched] ?? '');
      searched += 1;
      pattern.lastIndex = 0;
      let end = 0;
      while (matches.length < mostMatches) {
        const found = pattern.exec(text);
        if (found === null) break;
        matches.push(tailStart + found.index);
        end = pattern.lastIndex;
      }
      // A match may begin in this segment and end in the next one.
      const kept = Math.max(end, text.length - (wanted.length - 1));
      tail = text.slice(kept);
      tailStart += kept;
    },
  };
}

/** Index of the first match at or behind a place, the first of all when there is none; -1 without matches. */
export function matchFrom(matches: readonly number[], place: number): number {
  if (matches.length === 0) return -1;
  const before = lastAtOrBefore(matches, place);
  if ((matches[before] ?? 0) >= place) return before;
  return before + 1 < matches.length ? before + 1 : 0;
}

/** A stretch of a row, and which match it belongs to, if any. */
export interface RowPart {
  text: string;
  match: number | null;
}

/** Cuts a row that begins at `start` at the edges of its matches. A match may reach in from the row above. */
export function partsOfRow(
  text: string,
  start: number,
  { matches, wantedChars }: Pick<TextSearch, 'matches' | 'wantedChars'>,
): RowPart[] {
  const parts: RowPart[] = [];
  let at = 0;
  for (let index = lastAtOrBefore(matches, start); index < matches.length; index += 1) {
    const from = Math.max(at, (matches[index] ?? 0) - start);
    const to = Math.min(text.length, (matches[index] ?? 0) + wantedChars - start);
    if (from >= text.length) break;
    if (to <= from) continue;
    if (from > at) parts.push({ text: text.slice(at, from), match: null });
    parts.push({ text: text.slice(from, to), match: index });
    at = to;
  }
  if (at < text.length) parts.push({ text: text.slice(at), match: null });
  return parts;
}
