import { foldedWords } from './search-fold.ts';
import { partChars, partsForm, trigramsOf } from './search-parts.ts';

/** One thing asked for: words in a row, in the text, or letters in a row, in an id or a code word. */
export interface SearchTerm {
  /** Folded. */
  words: string[];
  /** The last of `words` may go on. */
  isPrefix: boolean;
  /** Folded letters and digits to find as a part; null when too short, or quoted with blanks. */
  part: string | null;
}

/** More terms than anybody types; a pasted page stays cheap. */
const mostTerms = 24;
/** A shorter beginning is in nearly every job: it is taken as a whole word until the third letter. */
const prefixChars = 3;
const tokens = /"([^"]*)"?|(\S+)/g;

/**
 * Reads what a person typed into the search field:
 * - words are all asked for, in any order and any place of the job;
 * - "words in quotes" are asked for in a row (an open quote ends at the end of the text);
 * - the last word may be a beginning, while it is being typed (no blank behind it, three letters or more);
 * - a word with signs in it (`foo_bar`, an id) is its pieces in a row, and is also looked for as a part of ids and
 *   code;
 * - everything else (operators, signs) has no meaning and does no harm.
 * Text without any letter or digit asks for nothing.
 */
export function parseQuery(text: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  for (const match of text.matchAll(tokens)) {
    if (terms.length === mostTerms) break;
    const [whole, quoted, word] = match;
    const source = quoted ?? word ?? '';
    const words = foldedWords(source);
    if (words.length === 0) continue;
    const isLast = match.index + whole.length === text.length;
    const isPrefix = word !== undefined && isLast && (words.at(-1)?.length ?? 0) >= prefixChars;
    const part = quoted !== undefined && /\s/.test(quoted.trim()) ? null : partsForm(source);
    terms.push({ words, isPrefix, part: part !== null && [...part].length >= partChars ? part : null });
  }
  return terms;
}

/**
 * The FTS5 expression for the terms. Only folded letters and digits reach it, in quotes, so that no text can be syntax.
 */
export function matchExpression(terms: readonly SearchTerm[]): string {
  return terms
    .map(({ words, isPrefix, part }) => {
      const prose = `"${words.join(' ')}"${isPrefix ? ' *' : ''}`;
      const trigrams = part === null ? [] : trigramsOf(part);
      // One trigram alone is the word itself.
      return trigrams.length < 2 && words.join('') === part
        ? prose
        : trigrams.length === 0
          ? prose
          : `(${prose} OR "${trigrams.join(' ')}")`;
    })
    .join(' AND ');
}
