import type { DatabaseSync } from 'node:sqlite';
import { statement, text } from '../file/row.ts';

/** The index has tables of its own for shorter beginnings (index-file.ts). */
const leastChars = 5;
/** Finding each costs about a millisecond over a million jobs. */
const mostWords = 4;
/** Before every letter and digit: the next word is the first one that is not smaller than this one with it. */
const beforeAll = '\u0001';

/**
 * The words of the index that begin with `beginning`, when they are few; null where they are more, or where the index
 * finds them as fast. Asked for one by one, newest first, their jobs need not be put together before the first is
 * found: over a million jobs that is the difference between one millisecond and eighty.
 */
export function wordsBeginning(db: DatabaseSync, beginning: string): string[] | null {
  if ([...beginning].length < leastChars) return null;
  const next = statement(db, 'SELECT term FROM temp.search_words WHERE term >= ? LIMIT 1');
  const found: string[] = [];
  for (let from = beginning; ; from = `${found.at(-1) ?? ''}${beforeAll}`) {
    const row = next.get(from);
    const word = row === undefined ? '' : text(row, 'term');
    if (!word.startsWith(beginning)) return found;
    if (found.length === mostWords) return null;
    found.push(word);
  }
}
