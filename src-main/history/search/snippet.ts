import type { SearchTerm } from './query.ts';
import { fieldBorder, foldedWords, partsForm, wordPattern } from './words.ts';

/** The marks around each match, as the list expects them. */
const matchOpen = '\u0001';
const matchClose = '\u0002';

const leadChars = 40;
const snippetChars = 160;
/** How much of a title a row surely shows. */
const titleChars = 60;
/** A longer line is not the title, whatever blanks it has. */
const titleLineChars = 8 * titleChars;
/** A longer run of signs is not searched. */
const runChars = 256;
const beyondAscii = /[\u0080-\uffff]/;

interface Span {
  start: number;
  end: number;
}

interface Word extends Span {
  folded: string[];
}

/**
 * The first match of the terms in `text`, cut to a line, with every match in it marked. Null if there is none, or if
 * all of them only repeat `title`, which is shown beside it.
 */
export function snippetOf(text: string, terms: readonly SearchTerm[], title: string): string | null {
  for (const field of text.split(fieldBorder)) {
    const from = firstCandidate(field, terms);
    if (from < 0) continue;
    for (const span of spansOf(field, terms, from, field.length))
      if (!isInTitle(field, span, title)) return cut(field, span, terms);
  }
  return null;
}

/** Whether the line of a match is in the title, or begins with what is shown of a long one and matches there. */
function isInTitle(field: string, { start, end }: Span, title: string): boolean {
  const lineStart = field.lastIndexOf('\n', start - 1) + 1;
  if (title === '' || end - lineStart > titleLineChars) return false;
  const lineEnd = field.indexOf('\n', end);
  const line = clean(field.slice(lineStart, lineEnd < 0 ? field.length : lineEnd).slice(0, titleLineChars + 1)).trim();
  const shown = title.slice(0, titleChars);
  if (title.length <= titleChars || !line.startsWith(shown)) return shown.includes(line);
  return clean(field.slice(lineStart, end)).trimStart().length <= shown.length;
}

/**
 * Where the search begins: plain ASCII is first searched unchanged, which is a hundred times faster than word by word.
 */
function firstCandidate(field: string, terms: readonly SearchTerm[]): number {
  if (beyondAscii.test(field)) return 0;
  const patterns = terms
    .flatMap(({ words, part }) => [words[0] ?? '', ...(part === null ? [] : [part])])
    .filter((word) => word !== '' && !beyondAscii.test(word))
    .map((word) => [...word].join('[^a-z0-9]*'));
  if (patterns.length === 0) return -1;
  const found = field.search(new RegExp(patterns.join('|'), 'i'));
  return found < 0 ? -1 : runStart(field, found);
}

function runStart(field: string, at: number): number {
  const start = Math.max(0, at - runChars);
  const before = /\S*$/.exec(field.slice(start, at));
  return at - (before?.[0].length ?? 0);
}

function cut(field: string, first: Span, terms: readonly SearchTerm[]): string {
  let start = Math.max(0, first.start - leadChars);
  let end = Math.min(field.length, Math.max(start + snippetChars, first.end));
  if (start > 0) start = blankAfter(field, start, first.start);
  if (end < field.length) end = blankBefore(field, end, first.end);
  let line = start > 0 ? '…' : '';
  let at = start;
  for (const span of spansOf(field, terms, start, end)) {
    line += clean(field.slice(at, span.start)) + matchOpen + clean(field.slice(span.start, span.end)) + matchClose;
    at = span.end;
  }
  return `${line}${clean(field.slice(at, end))}${end < field.length ? '…' : ''}`.trim();
}

/** A place to cut between two words, between `from` and `to`. `from` itself if there is no blank. */
function blankAfter(text: string, from: number, to: number): number {
  const found = text.slice(from, to).search(/\s/);
  return found < 0 ? characterBorder(text, from) : from + found + 1;
}

function blankBefore(text: string, from: number, to: number): number {
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

/** Matches in order, without overlaps: consecutive words, or the whole run of signs that contains a part. */
function* spansOf(text: string, terms: readonly SearchTerm[], from: number, to: number): Generator<Span> {
  const parts = terms.flatMap((term) => (term.part === null ? [] : [term.part]));
  const words = createWords(text, from, to);
  let done = from;
  for (let index = 0; ; index += 1) {
    const word = words.at(index);
    if (word === null) return;
    if (word.start < done) continue;
    const span = phraseAt(words, index, word, terms) ?? partAt(text, word, parts);
    if (span === null || span.end > to) continue;
    yield span;
    done = span.end;
  }
}

interface Words {
  at(index: number): Word | null;
}

/** The words between two places, cut and folded only as far as they are needed. */
function createWords(text: string, from: number, to: number): Words {
  const found: Word[] = [];
  const pattern = new RegExp(wordPattern);
  pattern.lastIndex = from;
  let isEnd = false;
  return {
    at(index) {
      while (!isEnd && found.length <= index) {
        const match = pattern.exec(text);
        if (match === null || match.index >= to) isEnd = true;
        else found.push({ start: match.index, end: match.index + match[0].length, folded: foldedWords(match[0]) });
      }
      return found[index] ?? null;
    },
  };
}

function phraseAt(words: Words, index: number, first: Word, terms: readonly SearchTerm[]): Span | null {
  for (const term of terms) {
    const end = matchEnd(words, index, term);
    if (end !== null) return { start: first.start, end };
  }
  return null;
}

/** Where the match of a term ends that begins with the word at `index`, or null. */
function matchEnd(words: Words, index: number, term: SearchTerm): number | null {
  let matched = 0;
  for (let at = index; ; at += 1) {
    const word = words.at(at);
    if (word === null) return null;
    for (const folded of word.folded) {
      const wanted = term.words[matched];
      if (wanted === undefined) return null;
      const isLast = matched === term.words.length - 1;
      if (isLast && term.isPrefix ? !folded.startsWith(wanted) : folded !== wanted) return null;
      matched += 1;
      if (isLast) return word.end;
    }
  }
}

/** The run of signs around a word, if it contains one of the parts. */
function partAt(text: string, word: Word, parts: readonly string[]): Span | null {
  if (parts.length === 0) return null;
  const run = /^\S*/.exec(text.slice(word.start, word.start + runChars))?.[0] ?? '';
  const letters = partsForm(run);
  if (!parts.some((part) => letters.includes(part))) return null;
  return { start: word.start, end: word.start + run.replace(/[^\p{L}\p{N}]+$/u, '').length };
}
