import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { atomically, statement, text } from './row.ts';
import { isIndexDamage } from './storage-error.ts';

/**
 * A file up to this size is read through at every start (some 0.1 s); a larger one only when damage was met in it,
 * which a note beside the file tells the next start.
 */
export const alwaysCheckedBytes = 134_217_728;

const noteOf = (path: string): string => `${path}-damage-met`;

/** True when the file at `path` should be checked as a whole before it is used. */
export function isCheckDue(path: string, checkedBytes: number): boolean {
  if (existsSync(noteOf(path))) return true;
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size <= checkedBytes;
}

/** Notes for the next start that a call met damage. */
export function noteDamage(path: string): void {
  writeFileSync(noteOf(path), 'Jobdeck met damage in the file beside this one and checks it at the next start.\n');
}

/** Forgets the note, once the file was checked or set aside. */
export function forgetDamage(path: string): void {
  rmSync(noteOf(path), { force: true });
}

/** What SQLite finds wrong with the open file; null when nothing. */
export function findDamage(db: DatabaseSync): string | null {
  // Table by table: asked for all at once, SQLite would also walk the full-text index, five times the work of
  // everything else together. Damage in there shows when it is searched, and `withSoundIndex` mends it.
  const tables = statement(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    .all()
    .map((row) => text(row, 'name'));
  for (const table of tables) {
    const findings = statement(db, `PRAGMA quick_check('${table}')`)
      .all()
      .map((row) => text(row, 'quick_check'));
    if (findings[0] !== 'ok') return findings.slice(0, 3).join('; ');
  }
  return null;
}

/** Does `work`, and where it meets damage inside the full-text index, makes that anew and does it again. */
export function withSoundIndex<T>(db: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isIndexDamage(error)) throw error;
    rebuildSearch(db);
    return work();
  }
}

/** The index holds nothing that is not elsewhere: it is emptied, and every job marked as not indexed. */
function rebuildSearch(db: DatabaseSync): void {
  const schema = statement(db, "SELECT sql FROM sqlite_schema WHERE name = 'search'").get();
  if (schema === undefined) return;
  const sql = text(schema, 'sql');
  atomically(db, () => {
    db.exec(`DROP TABLE search; ${sql}`);
    db.exec(
      'INSERT INTO search_dirty (job, is_urgent) SELECT id, 1 FROM jobs WHERE true ON CONFLICT (job) DO UPDATE ' +
        'SET is_urgent = 1',
    );
  });
}
