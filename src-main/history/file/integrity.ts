import { rmSync, statSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { statement, text } from './row.ts';
import { databaseErrorText, unusableText } from '../../messages/history.ts';

const meanings: ReadonlyMap<number, string> = new Map([
  [5, databaseErrorText.held],
  [6, databaseErrorText.held],
  [8, databaseErrorText.notWritable],
  [10, databaseErrorText.disk],
  [11, databaseErrorText.damaged],
  [13, databaseErrorText.fullDisk],
  [14, databaseErrorText.notOpened],
  [26, databaseErrorText.noDatabase],
]);

/** Errors of the system, by code, where a file is created before SQLite opens it. */
const meaningsOfSystem: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', databaseErrorText.notWritable],
  ['EPERM', databaseErrorText.notWritable],
  ['EROFS', databaseErrorText.notWritable],
  ['ENOSPC', databaseErrorText.fullDisk],
  ['EDQUOT', databaseErrorText.fullDisk],
  ['EBUSY', databaseErrorText.held],
]);

/** SQLite's primary result code of an error. Null if it is not from SQLite. */
export function storageErrorCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : null;
}

/** True if the file itself is damaged (SQLITE_CORRUPT, SQLITE_NOTADB). */
export function isDamage(error: unknown): boolean {
  const code = storageErrorCode(error);
  return code === 11 || code === 26;
}

/** True if only a full-text index is damaged (SQLITE_CORRUPT_VTAB). */
export function isIndexDamage(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 267;
}

/**
 * True if the database as a whole could not be read or written (locked, out of memory, no permission, full, an I/O
 * error): no other call would work either.
 */
export function isStorageTrouble(error: unknown): boolean {
  const code = storageErrorCode(error);
  return code !== null && troubleCodes.has(code);
}

/** SQLITE_BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB. */
const troubleCodes: ReadonlySet<number> = new Set([5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 26]);

/** SQLITE_IOERR_READ and SQLITE_IOERR_SHORT_READ: a disk cannot read a part of the file. */
const readErrors: ReadonlySet<unknown> = new Set([266, 522]);

/** True if the same may work later: a disk or another program refused it. False if a file cannot be read. */
export function isRefusedForNow(error: unknown): boolean {
  if (!isStorageTrouble(error) || isDamage(error)) return false;
  return !(error instanceof Error && 'errcode' in error && readErrors.has(error.errcode));
}

/** One or two sentences for any error of the database: what happened, and what can be done. */
export function storageErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return databaseErrorText.unknown(String(error));
  const code = storageErrorCode(error);
  const known = code === null ? meaningsOfSystem.get('code' in error ? error.code : null) : meanings.get(code);
  if (code === null) return known === undefined ? error.message : `${known} (${error.message})`;
  return known === undefined ? databaseErrorText.other(error.message) : `${known} (${error.message})`;
}

/**
 * A file up to this size is checked completely at every start (about 0.1 s). A larger one is checked only after damage
 * was found, which a note beside the file reports to the next start.
 */
export const alwaysCheckedBytes = 134_217_728;

const noteOf = (path: string): string => `${path}-damage-met`;

/** True if the whole file at `path` must be checked before it is used. */
export function isCheckDue(path: string, checkedBytes: number): boolean {
  if (statSync(noteOf(path), { throwIfNoEntry: false })?.isFile() === true) return true;
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size <= checkedBytes;
}

/** Notes for the next start that a call found damage. Never throws: the call must still be answered. */
export function noteDamage(path: string): void {
  try {
    writeFileSync(noteOf(path), `${unusableText.damageNote}\n`);
  } catch {
    // The disk is full. The next call that finds the damage tries again.
  }
}

/** Removes the note, after the file was checked or set aside. If it cannot be removed, the next start checks again. */
export function forgetDamage(path: string): void {
  try {
    rmSync(noteOf(path), { force: true });
  } catch {
    // A folder is in its place, or its folder cannot be written to: opening the file reports that.
  }
}

/** What SQLite finds wrong with the open file, or null. `check` is called between tables, and may throw. */
export function findDamage(db: DatabaseSync, check: () => void = () => {}): string | null {
  // Table by table: a check of everything would include the full-text index of a former version, which takes five times
  // as long as all others together.
  const tables = statement(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    .all()
    .map((row) => text(row, 'name'));
  for (const table of tables) {
    check();
    const findings = statement(db, `PRAGMA quick_check('${table}')`)
      .all()
      .map((row) => text(row, 'quick_check'));
    if (findings[0] !== 'ok') return findings.slice(0, 3).join('; ');
  }
  return null;
}
