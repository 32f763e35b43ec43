import { rmSync } from 'node:fs';
import { join, parse as parsePath } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { createPrivate, setFoldersAside } from './in-the-way.ts';
import { isDamage, isIndexDamage } from './integrity.ts';
import { atomically, number, numberOrNull, statement, text } from './row.ts';
import { markAllDirty } from './unindexed-jobs.ts';

/**
 * The search index, in a file of its own beside the history. It contains nothing that is not in the history: if it is
 * missing, damaged, of another version or of another history, it is created again, and all jobs are indexed again.
 */

/** The index of `history.db` is in `history-search.db`. */
export function indexPathOf(historyPath: string): string {
  if (isInMemory(historyPath)) return historyPath;
  const { dir, name, ext } = parsePath(historyPath);
  return join(dir, `${name}-search${ext}`);
}

/** Whether a history has no file: only tests have such. */
export const isInMemory = (path: string): boolean => path === ':memory:';

/** Raise it when the tables below or their content change: all jobs are then indexed again. */
const indexVersion = 2;

/**
 * The indexed text is already folded (words.ts): its words are ASCII letters and digits, or beyond ASCII. So the plain
 * tokenizer is enough, which is faster than the Unicode one. `|` marks our own words (query.ts). `prefix`, because
 * merging all words with a short beginning takes half a second over a million jobs.
 */
const tables = `
  CREATE VIRTUAL TABLE words.search USING fts5 (
    words, content = '', contentless_delete = 1, prefix = '3 4', tokenize = "ascii tokenchars '|'"
  );
  INSERT INTO words.search (search, rank) VALUES ('hashsize', 268435456);
  -- What a snippet is cut from, where reading it again would take long.
  CREATE TABLE words.search_texts (job INTEGER PRIMARY KEY, encoding INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
  -- Jobs whose text could not be indexed, and by which way of reading it: a newer one tries again.
  CREATE TABLE words.search_left_out (job INTEGER PRIMARY KEY, reading INTEGER NOT NULL) STRICT;
  -- The history it is of.
  CREATE TABLE words.search_origin (history TEXT NOT NULL) STRICT;
`;

/** Whether words of deleted jobs are to be removed (search/erasure.ts). An index of a former version has none yet. */
const erasureTable = `
  CREATE TABLE IF NOT EXISTS words.search_erasure (times_due INTEGER NOT NULL, last_at_ms REAL) STRICT;
  INSERT INTO words.search_erasure SELECT 0, NULL WHERE NOT EXISTS (SELECT 1 FROM words.search_erasure)`;

export interface AttachedIndex {
  /** How many jobs the index knew that the history has lost. */
  lostJobs: number;
  /** Folders that were in the place of the index's files, under their new names. */
  foldersAside: string[];
}

/**
 * Attaches the index of the open history at `path` as the schema `words`, and creates it again if it cannot be used.
 * Read-only unless `isWritten`, so that a transaction of the history never waits for the one that writes the index.
 */
export function attachIndex(
  db: DatabaseSync,
  path: string,
  { isWritten, nowMs }: { isWritten: boolean; nowMs: number },
): AttachedIndex {
  const indexPath = indexPathOf(path);
  const foldersAside = isInMemory(indexPath) ? [] : setFoldersAside(indexPath, nowMs);
  const found = isInMemory(indexPath) ? unusable : examineIndex(db, indexPath);
  const isMade = isInMemory(indexPath) ? makeIndex(db, indexPath) : !found.isUsable;
  if (!isInMemory(indexPath)) {
    if (isMade) {
      removeIndex(indexPath);
      makeIndex(db, indexPath);
      db.exec('DETACH words');
    }
    db.prepare('ATTACH ? AS words').run(fileUrl(indexPath, isWritten ? 'rw' : 'ro'));
    if (isWritten) db.exec(writing);
  }
  // Its individual words, for wordsBeginning (query.ts).
  db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_words USING fts5vocab('words', 'search', 'instance')");
  if (isMade) markAllDirty(db);
  return { lostJobs: found.lostJobs, foldersAside };
}

/** Opens the index at `indexPath` for writing, with the history attached read-only. Throws if either does not exist. */
export function openIndexToWrite(historyPath: string): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  db.prepare('ATTACH ? AS words').run(fileUrl(indexPathOf(historyPath), 'rw'));
  db.prepare('ATTACH ? AS history').run(fileUrl(historyPath, 'ro'));
  db.exec(`${writing}; PRAGMA history.cache_size = -16384; PRAGMA busy_timeout = 5000`);
  mergeOnlyInSteps(db);
  atomically(db, () => db.exec(erasureTable), 'DEFERRED');
  return db;
}

/** The history's thread reads what is indexed as soon as it gets the message, so it must be on disk by then. */
const writing = `
  PRAGMA words.secure_delete = FAST;
  PRAGMA words.synchronous = FULL; PRAGMA words.cache_size = -65536; PRAGMA words.journal_size_limit = 67108864;
  PRAGMA temp_store = MEMORY`;

/** An address for SQLite. Only `rwc` creates the file if it does not exist. */
export const fileUrl = (path: string, mode: 'ro' | 'rw' | 'rwc'): string => `${pathToFileURL(path).href}?mode=${mode}`;

/** Removes the index and its companions, if they exist. */
export function removeIndex(indexPath: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(indexPath + suffix, { force: true });
}

function makeIndex(db: DatabaseSync, indexPath: string): true {
  if (!isInMemory(indexPath)) createPrivate(indexPath);
  db.prepare('ATTACH ? AS words').run(isInMemory(indexPath) ? indexPath : fileUrl(indexPath, 'rwc'));
  // If it is incomplete after a crash, it is created again.
  db.exec('PRAGMA words.synchronous = OFF; PRAGMA words.auto_vacuum = INCREMENTAL; PRAGMA words.journal_mode = WAL');
  atomically(db, () => {
    db.exec(`${tables}; ${erasureTable}; PRAGMA words.user_version = ${indexVersion}`);
    mergeOnlyInSteps(db);
    db.prepare('INSERT INTO words.search_origin (history) VALUES (?)').run(originOf(db));
  });
  return true;
}

interface ExaminedIndex {
  isUsable: boolean;
  lostJobs: number;
}

const unusable: ExaminedIndex = { isUsable: false, lostJobs: 0 };

/**
 * Whether there is an index of this version and of this history, as it is now. Damage inside of it shows when it is
 * searched.
 */
function examineIndex(db: DatabaseSync, indexPath: string): ExaminedIndex {
  let index: DatabaseSync | null = null;
  try {
    index = new DatabaseSync(indexPath, { readOnly: true });
    const version = index.prepare('PRAGMA user_version').get();
    if (version === undefined || number(version, 'user_version') !== indexVersion) return unusable;
    const origin = index.prepare('SELECT history FROM search_origin').get();
    if (origin === undefined || text(origin, 'history') !== originOf(db)) return unusable;
    const lostJobs = countLost(db, index);
    return { isUsable: lostJobs === 0, lostJobs };
  } catch {
    return unusable;
  } finally {
    if (index?.isOpen === true) index.close();
  }
}

/**
 * A job is indexed after it is on disk, and the newest job has the highest id. So one that is only in the index was
 * lost: SQLite's log (-wal) was deleted or cut, or an older file was put in the place of the history.
 */
function countLost(db: DatabaseSync, index: DatabaseSync): number {
  const last = statement(db, 'SELECT max(id) AS id FROM jobs').get();
  const lastId = last === undefined ? null : numberOrNull(last, 'id');
  const removed = statement(db, 'SELECT 1 AS removed FROM search_removed WHERE job = ?');
  const beyond = index.prepare('SELECT id FROM search_docsize WHERE id > ?').all(lastId ?? 0);
  return beyond.filter((row) => removed.get(number(row, 'id')) === undefined).length;
}

function originOf(db: DatabaseSync): string {
  const row = statement(db, 'SELECT id FROM search_identity').get();
  if (row === undefined) throw new Error('The history has no identity.');
  return text(row, 'id');
}

/**
 * Gives the open history another identity, so that its index is created again at the next opening. For an older copy
 * that replaces the history.
 */
export function detachIndex(db: DatabaseSync): void {
  statement(db, 'UPDATE search_identity SET id = lower(hex(randomblob(16)))').run();
}

/** True for the errors of a search in a damaged index. A page that cannot be read may also be the history's. */
export function isSearchDamage(error: unknown): boolean {
  return isIndexDamage(error) || isDamage(error);
}

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
function mergeOnlyInSteps(db: DatabaseSync): void {
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
