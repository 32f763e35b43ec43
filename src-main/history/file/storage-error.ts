const words: ReadonlyMap<number, string> = new Map([
  [5, 'Another program holds the history file; nothing was saved. Close it and try again.'],
  [6, 'Another program holds the history file; nothing was saved. Close it and try again.'],
  [8, 'The history file cannot be written; nothing was saved. Check the rights on its folder.'],
  [10, 'The disk answered an error; nothing was saved. Check the disk and try again.'],
  [11, 'The history file is damaged; nothing was saved. Restart Jobdeck: it sets the file aside and starts a new one.'],
  [13, 'The disk is full; nothing was saved. Free some space and try again.'],
  [14, 'The history file cannot be opened. Check the rights on its folder.'],
  [26, 'The history file is not a database any more. Restart Jobdeck: it sets the file aside and starts a new one.'],
]);

/** SQLite's primary result code of what the database threw; null when it was not SQLite. */
export function storageErrorCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : null;
}

/** True when the file itself is damaged (SQLITE_CORRUPT, SQLITE_NOTADB). */
export function isDamage(error: unknown): boolean {
  const code = storageErrorCode(error);
  return code === 11 || code === 26;
}

/** True when only a full-text index is damaged (SQLITE_CORRUPT_VTAB). */
export function isIndexDamage(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 267;
}

/**
 * True when the database as a whole could not be read or written (locked, out of memory, no right, full, an I/O error):
 * nothing else could be done in its place, and what was asked for is not to blame.
 */
export function isStorageTrouble(error: unknown): boolean {
  const code = storageErrorCode(error);
  return code !== null && troubleCodes.has(code);
}

/** SQLITE_BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB. */
const troubleCodes: ReadonlySet<number> = new Set([5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 26]);

/** One or two sentences for whatever the database threw: what happened, and what can be done. */
export function storageErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return `The history answered an error: ${String(error)}`;
  const code = storageErrorCode(error);
  if (code === null) return error.message;
  const known = words.get(code);
  return known === undefined
    ? `The history answered an error; nothing was saved: ${error.message}`
    : `${known} (${error.message})`;
}
