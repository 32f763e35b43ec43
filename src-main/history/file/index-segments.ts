import type { DatabaseSync } from 'node:sqlite';
import { number, statement } from './row.ts';

/**
 * Each transaction that writes the search index adds a segment to it, and a search reads all of them. FTS5 merges them
 * while it writes, which takes as long again. Here a write only adds its segment, and they are merged in idle time.
 */

/**
 * After this many transactions indexing and merging take turns while jobs wait to be indexed, so that a long import
 * does not slow down searches more and more.
 */
export const maxUnmerged = 512;

/** This many segments of one level become one of the next. */
const segmentsToMerge = 16;
/** With this many in a level FTS5 would merge them within a write, however long it takes. Never reached. */
const crisisSegments = 2 * maxUnmerged;
/** About how many pages one step writes: some milliseconds. */
const pagesPerStep = 200;

/** Configures the index for `mergeStep`, also one that a former version created. */
export function mergeOnlyInSteps(db: DatabaseSync): void {
  const wanted = { automerge: 0, usermerge: segmentsToMerge, crisismerge: crisisSegments };
  for (const [name, value] of Object.entries(wanted)) {
    const row = statement(db, 'SELECT v FROM words.search_config WHERE k = ?').get(name);
    if (row === undefined || number(row, 'v') !== value)
      // FTS5 takes integers only, and a JavaScript number is not one.
      statement(db, 'INSERT INTO words.search (search, rank) VALUES (?, ?)').run(name, BigInt(value));
  }
}

/** Merges some segments, in a transaction of its own. Returns whether there may be more to merge. */
export function mergeStep(db: DatabaseSync): boolean {
  return mergePages(db, pagesPerStep);
}

/**
 * Begins to merge all segments into one, even if there is only one. That leaves out what is hidden in them. `mergeStep`
 * continues it. Returns as that does.
 */
export function beginRewrite(db: DatabaseSync): boolean {
  return mergePages(db, -pagesPerStep);
}

/** By SQLite's documentation a negative number means all segments. */
function mergePages(db: DatabaseSync, pages: number): boolean {
  const before = changesOf(db);
  statement(db, "INSERT INTO words.search (search, rank) VALUES ('merge', ?)").run(BigInt(pages));
  // By SQLite's documentation: nothing was merged if this is less than two.
  return changesOf(db) - before >= 2;
}

function changesOf(db: DatabaseSync): number {
  const row = statement(db, 'SELECT total_changes() AS changes').get();
  return row === undefined ? 0 : number(row, 'changes');
}
