import type { DatabaseSync } from 'node:sqlite';
import { statement, text } from '../file/row.ts';

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
