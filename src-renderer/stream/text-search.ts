import { plainPattern } from '../../src-preload/stream-text.ts';
import { lastAtOrBefore, type TextSource } from './text-source.ts';

/** Further matches are neither counted nor shown. */
export const maxMatches = 100_000;

/** A search that runs in small steps. */
export interface SteppedSearch {
  /** The offsets of the matches so far, ascending. */
  readonly matches: readonly number[];
  /** True when the text so far has been searched, or there are enough matches. */
  readonly isDone: boolean;
  /** Searches a little further. */
  step(): void;
}

/** A search through a text that may still grow. */
export interface TextSearch extends SteppedSearch {
  /** The length of the wanted text. */
  readonly wantedChars: number;
}

/** Finds `wanted` in formatted text: a space matches any white space. Ignores case. */
export function laidOutPattern(wanted: string): RegExp {
  return new RegExp(plainPattern(wanted).source.replaceAll(/\s+/g, '\\s+'), 'gi');
}

/** Searches for `wanted`, ignoring case. An empty text has no matches. */
export function createTextSearch(source: Pick<TextSource, 'segments'>, wanted: string): TextSearch {
  const matches: number[] = [];
  const pattern = plainPattern(wanted);
  let searched = 0;
  /** Where the text that was not searched begins, and its part from former segments. */
  let tailStart = 0;
  let tail = '';
  return {
    wantedChars: wanted.length,
    matches,
    get isDone() {
      return wanted === '' || searched === source.segments.length || matches.length === maxMatches;
    },
    step() {
      const text = tail + (source.segments[searched] ?? '');
      searched += 1;
      pattern.lastIndex = 0;
      let end = 0;
      while (matches.length < maxMatches) {
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

/** The index of the first match at or after a place, or 0 if there is none after it. -1 without matches. */
export function matchFrom(matches: readonly number[], place: number): number {
  if (matches.length === 0) return -1;
  const before = lastAtOrBefore(matches, place);
  if ((matches[before] ?? 0) >= place) return before;
  return before + 1 < matches.length ? before + 1 : 0;
}

/** A stretch of a row, and the match it belongs to, if any. */
export interface RowPart {
  text: string;
  match: number | null;
}

/** Cuts a row that begins at `start` at the edges of its matches. A match may begin in the row above. */
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
