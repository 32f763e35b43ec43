import { createHash } from 'node:crypto';
import { failureStatuses, statusWordOf, type JobFilter } from '../../../src-preload/history.ts';
import { isLive, type Job } from '../../../src-preload/job.ts';
import { foldedWords, partChars, partsForm, trigramsOf } from './words.ts';
import type { DatabaseSync } from 'node:sqlite';
import { statement, text } from '../file/row.ts';

/** One term: consecutive words in the text, or consecutive letters in an id or a code word. */
export interface SearchTerm {
  /** Folded. */
  words: string[];
  /** The last of `words` may be incomplete. */
  isPrefix: boolean;
  /** Folded letters and digits to find as a part. Null if too short, or quoted with blanks. */
  part: string | null;
  /**
   * Its one word, if it has one or two letters and is being typed: words of names (`nameStartsOf`) that begin with it
   * match as well. Absent: it is a whole word, or long enough to be a beginning in any text.
   */
  nameStart?: string;
}

/** More terms than a user types, so that a pasted page stays fast. */
const maxTerms = 24;
/** A shorter beginning is in nearly every text, so until the third letter it is only searched for in names. */
const prefixChars = 3;
const tokens = /"([^"]*)"?|(\S+)/g;

/**
 * Reads the text of a search:
 * - all words must occur, in any order and in any part of the job;
 * - "words in quotes" must be consecutive (an unclosed quote ends with the text, and its last word is being typed);
 * - the last word may be a beginning while it is being typed (no blank after it): of any word from three letters on, of
 *   a word in a title, a tag or a label before that;
 * - a word with signs in it (`foo_bar`, an id) is its pieces in a row, and is also searched for as a part of ids and
 *   code;
 * - everything else (operators, signs) has no meaning. A text without any letter or digit searches for nothing.
 */
export function parseQuery(text: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  for (const match of text.matchAll(tokens)) {
    if (terms.length === maxTerms) break;
    const [whole, quoted, word] = match;
    const source = quoted ?? word ?? '';
    const words = foldedWords(source);
    if (words.length === 0) continue;
    const isLast = match.index + whole.length === text.length;
    const isOpen = quoted !== undefined && !(whole.length > 1 && whole.endsWith('"'));
    // The last word in an unclosed quote is being typed. If it is too short for a beginning, it is ignored.
    const isTyped = isLast && /\S$/.test(whole) && (word !== undefined || isOpen);
    const isPrefix = isTyped && (words.at(-1)?.length ?? 0) >= prefixChars;
    if (isOpen && isTyped && !isPrefix) words.pop();
    if (words.length === 0) continue;
    const part = quoted !== undefined && /\s/.test(quoted.trim()) ? null : partsForm(source);
    const [only] = words;
    const isNameStart = isTyped && word !== undefined && words.length === 1 && only !== undefined && isStart(only);
    terms.push({
      words,
      isPrefix,
      part: part !== null && [...part].length >= partChars ? part : null,
      ...(isNameStart ? { nameStart: only } : {}),
    });
  }
  return terms;
}

/**
 * The FTS5 expression for the terms. Only folded letters and digits get into it, in quotes, so that no text can be
 * syntax. `wordsOf`: the words with a beginning, if they are few and known; null: the index finds them.
 */
export function matchExpression(
  terms: readonly SearchTerm[],
  wordsOf: (beginning: string) => readonly string[] | null = () => null,
): string {
  return terms
    .map((term) => {
      const { words, part } = term;
      const prose = proseOf(term, wordsOf);
      const trigrams = part === null ? [] : trigramsOf(part);
      // A single trigram is the word itself.
      return trigrams.length < 2 && words.join('') === part
        ? prose
        : trigrams.length === 0
          ? prose
          : `(${prose} OR "${trigrams.join(' ')}")`;
    })
    .join(' AND ');
}

function proseOf(
  { words, isPrefix, nameStart }: SearchTerm,
  wordsOf: (beginning: string) => readonly string[] | null,
): string {
  const last = words.at(-1);
  const whole = quoted(words.join(' '));
  if (nameStart !== undefined) return `(${whole} OR ${quoted(startMark(nameStart))})`;
  if (!isPrefix || last === undefined) return whole;
  const known = wordsOf(last);
  if (known === null) return `${whole} *`;
  // No word begins with it, so it is searched for as a word, which finds nothing.
  const ends = known.length === 0 ? [last] : known;
  return `(${ends.map((word) => quoted([...words.slice(0, -1), word].join(' '))).join(' OR ')})`;
}

/**
 * The full-text index also contains what a search may be filtered by, as words that cannot be typed: they begin with a
 * sign that folding removes from every text. So one MATCH finds "this word, in failed jobs of this connection", and
 * counting the results never fetches a job.
 */
const sign = '|';
const connection = (id: string): string => `${sign}c${hashed(id)}`;
const endpoint = (id: string): string => `${sign}e${hashed(id)}`;
const status = (word: string): string => `${sign}w${hashed(word)}`;
const tag = (name: string): string => `${sign}t${hashed(name)}`;
const starred = `${sign}starred`;
const live = `${sign}live`;
const finished = `${sign}finished`;

/** In the index, before what a word of a name begins with. */
const startMark = (beginning: string): string => `${sign}b${beginning}`;
const longestStart = prefixChars - 1;
const isStart = (text: string): boolean => [...text].length <= longestStart;

/**
 * The words of the index for the first one and two letters of each word of a job's names, with blanks between them. A
 * word as short as that is found as itself.
 */
export function nameStartsOf(names: string): string {
  const starts = foldedWords(names).flatMap((word) => {
    const letters = [...word].slice(0, longestStart + 1);
    return letters.slice(0, -1).map((_, at) => startMark(letters.slice(0, at + 1).join('')));
  });
  return [...new Set(starts)].join(' ');
}

/** Few names are in nearly every job. */
const hashes = new Map<string, string>();
const maxHashes = 10_000;

function hashed(text: string): string {
  const known = hashes.get(text);
  if (known !== undefined) return known;
  if (hashes.size >= maxHashes) hashes.clear();
  const hash = createHash('sha1').update(text).digest('hex').slice(0, 12);
  hashes.set(text, hash);
  return hash;
}

/** The filter words of a job, for its index row. Whenever one changes, the job is indexed again. */
export function marksOf(job: Job): string[] {
  return [
    connection(job.connectionId),
    endpoint(job.endpointId),
    status(statusWordOf(job)),
    ...job.tags.map(tag),
    ...(job.isStarred ? [starred] : []),
    ...(isLive(job) ? [live] : []),
    ...(job.phase === 'finished' ? [finished] : []),
  ];
}

/** The filter words of a filter, as an FTS5 expression around `terms`. Times are not included. */
export function narrowedMatch(terms: string, filter: JobFilter): string {
  const parts = [`(${terms})`];
  if (filter.connectionId !== null) parts.push(quoted(connection(filter.connectionId)));
  if (filter.endpointId !== null) parts.push(quoted(endpoint(filter.endpointId)));
  if (filter.statuses.length > 0) parts.push(anyOf(filter.statuses.map(status)));
  parts.push(...filter.tags.map((name) => quoted(tag(name))));
  if (filter.view === 'starred') parts.push(quoted(starred));
  if (filter.view === 'active') parts.push(quoted(live));
  if (filter.view === 'finished-today') parts.push(quoted(finished));
  if (filter.view === 'failed' || filter.has.includes('error')) parts.push(anyOf(failureStatuses.map(status)));
  const match = parts.join(' AND ');
  return filter.notTags.length === 0 ? match : `(${match}) NOT ${anyOf(filter.notTags.map(tag))}`;
}

const quoted = (mark: string): string => `"${mark}"`;
const anyOf = (marks: readonly string[]): string => `(${marks.map(quoted).join(' OR ')})`;

/** For shorter beginnings the index has tables of its own (index-file.ts). */
const minChars = 5;
/** Finding each takes about a millisecond with a million jobs. */
const maxWords = 4;
/**
 * Sorts before every letter and digit: the next word is the first one that is not smaller than this word with it
 * appended.
 */
const beforeAll = '\u0001';

/**
 * The words of the index that begin with `beginning`, if there are few. Null if there are more, or if the index finds
 * them as fast. Searching for them individually, newest first, does not combine their jobs before the first is found:
 * with a million jobs that is one millisecond instead of eighty.
 */
export function wordsBeginning(db: DatabaseSync, beginning: string): string[] | null {
  if ([...beginning].length < minChars) return null;
  const next = statement(db, 'SELECT term FROM temp.search_words WHERE term >= ? LIMIT 1');
  const found: string[] = [];
  for (let from = beginning; ; from = `${found.at(-1) ?? ''}${beforeAll}`) {
    const row = next.get(from);
    const word = row === undefined ? '' : text(row, 'term');
    if (!word.startsWith(beginning)) return found;
    if (found.length === maxWords) return null;
    found.push(word);
  }
}
