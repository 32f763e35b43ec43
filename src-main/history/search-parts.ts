import { foldText, indexBorder } from './search-fold.ts';

/**
 * Search by part, for ids and code. Their trigrams (every three letters in a row) are words of the index like any
 * other, so that any part of three letters or more is a phrase of trigrams. They lie in the same table as the prose:
 * one MATCH then asks for each word "in the text or as a part of an id", which a second table with SQLite's own
 * trigram tokenizer could only answer by fetching and intersecting.
 */

/** Parts shorter than this cannot be found. */
export const partChars = 3;
const longestChars = 128;
const mostChars = 6_000;
const candidates = /[\p{L}\p{N}][\p{L}\p{N}_.:/@#$+-]{2,}/gu;
const looksLikeCode = /\p{N}|[_.:/@#$+-]\p{L}|\p{Ll}\p{Lu}/u;

/** An id or a query's word as it is compared by part: folded, letters and digits only. */
export function partsForm(word: string): string {
  return foldText(word).replaceAll(' ', '');
}

/** The trigrams of a word in order; none when it is too short. */
export function trigramsOf(word: string): string[] {
  const letters = [...partsForm(word)].slice(0, longestChars);
  const trigrams: string[] = [];
  for (let at = 0; at + partChars <= letters.length; at += 1) trigrams.push(letters.slice(at, at + partChars).join(''));
  return trigrams;
}

/** The words of a prose that a person might remember a part of: ids, paths, file names, identifiers. */
export function codeWords(text: string): string[] {
  const found = new Set<string>();
  let chars = 0;
  for (const [word] of text.matchAll(candidates)) {
    if (!looksLikeCode.test(word) || found.has(word)) continue;
    found.add(word);
    chars += Math.min(word.length, longestChars);
    if (chars >= mostChars) break;
  }
  return [...found];
}

/** What goes into the index for these words, so that no part is found across two of them. */
export function partsText(words: Iterable<string>): string {
  const entries: string[] = [];
  for (const word of new Set(words)) {
    const trigrams = trigramsOf(word);
    if (trigrams.length > 0) entries.push(trigrams.join(' '));
  }
  return entries.join(indexBorder);
}
