import { fieldBorder, foldedWords, wordPattern } from './search-fold.ts';
import { partsForm } from './search-parts.ts';
import type { SearchTerm } from './search-query.ts';

/** Marks around each match, as the list expects them. */
export const matchOpen = '\u0001';
export const matchClose = '\u0002';

const leadChars = 40;
const snippetChars = 160;

interface Span {
  start: number;
  end: number;
}

/** The first place of `text` where one of the terms stands, cut to a line, every match in it marked. Null when there is none. */
export function snippetOf(text: string, terms: readonly SearchTerm[]): string | null {
  for (const field of text.split(fieldBorder)) {
    const first = spansOf(field, terms, 0, field.length).next();
    if (first.done === true) continue;
    return cut(field, first.value, terms);
  }
  return null;
}

function cut(field: string, first: Span, terms: readonly SearchTerm[]): string {
  let start = Math.max(0, first.start - leadChars);
  let end = Math.min(field.length, Math.max(start + snippetChars, first.end));
  if (start > 0) start = nextBlank(field, start, first.start);
  if (end < field.length) end = lastBlank(field, end, first.end);
  let line = start > 0 ? '…' : '';
  let at = start;
  for (const span of spansOf(field, terms, start, end)) {
    line += clean(field.slice(at, span.start)) + matchOpen + clean(field.slice(span.start, span.end)) + matchClose;
    at = span.end;
  }
  return `${line}${clean(field.slice(at, end))}${end < field.length ? '…' : ''}`.trim();
}

/** A place to cut between two words, between `from` and `to`; `from` itself where there is no blank. */
function nextBlank(text: string, from: number, to: number): number {
  const found = text.slice(from, to).search(/\s/);
  return found < 0 ? characterBorder(text, from) : from + found + 1;
}

function lastBlank(text: string, from: number, to: number): number {
  const found = text.slice(to, from).search(/\s\S*$/);
  return found < 0 ? characterBorder(text, from) : to + found;
}

/** Never between the halves of a surrogate pair. */
function characterBorder(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at;
}

function clean(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ');
}

/** Matches in order, none overlapping: words in a row, else whole chunks that hold a part. */
function* spansOf(text: string, terms: readonly SearchTerm[], from: number, to: number): Generator<Span> {
  const parts = terms.flatMap((term) => (term.part === null ? [] : [term.part]));
  let done = from;
  const words = wordsBetween(text, from, to);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined || word.start < done) continue;
    const span = phraseAt(words, index, terms) ?? partAt(text, word, parts);
    if (span === null || span.end > to) continue;
    yield span;
    done = span.end;
  }
}

interface Word extends Span {
  folded: string[];
}

function wordsBetween(text: string, from: number, to: number): Word[] {
  const words: Word[] = [];
  for (const match of text.slice(from, to).matchAll(wordPattern)) {
    const start = from + match.index;
    words.push({ start, end: start + match[0].length, folded: foldedWords(match[0]) });
  }
  return words;
}

function phraseAt(words: readonly Word[], index: number, terms: readonly SearchTerm[]): Span | null {
  for (const term of terms) {
    const end = matchEnd(words, index, term);
    const first = words[index];
    if (end !== null && first !== undefined) return { start: first.start, end };
  }
  return null;
}

/** Where the term ends that begins with the word at `index`, or null. */
function matchEnd(words: readonly Word[], index: number, term: SearchTerm): number | null {
  let matched = 0;
  for (let at = index; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) return null;
    for (const folded of word.folded) {
      const wanted = term.words[matched];
      if (wanted === undefined) return null;
      const isLast = matched === term.words.length - 1;
      if (isLast && term.isPrefix ? !folded.startsWith(wanted) : folded !== wanted) return null;
      matched += 1;
      if (isLast) return word.end;
    }
  }
  return null;
}

/** The run of signs around a word, when it holds one of the parts. */
function partAt(text: string, word: Word, parts: readonly string[]): Span | null {
  if (parts.length === 0) return null;
  const rest = /^\S*/.exec(text.slice(word.start, word.start + 256));
  const run = rest?.[0] ?? '';
  const letters = partsForm(run);
  if (!parts.some((part) => letters.includes(part))) return null;
  return { start: word.start, end: word.start + run.replace(/[^\p{L}\p{N}]+$/u, '').length };
}
