import { chmodSync, closeSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * SQLite would create this file readable by others if the user's umask allows it. Its -wal and -shm files follow it.
 */
const madeFirst = ['history.db'];
/** Our files, by the beginning of their names: databases with their companions, logs, the window's place. */
const ours = /^(history|sandbox|jobdeck|window)\b/;

/**
 * Makes the data folder and our files in it readable by this user only, because inputs and outputs are private. Files
 * that a former version left open to others are closed. A file system without such permissions is left as it is.
 */
export function makePrivate(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  close(dataDir, 0o700);
  for (const name of madeFirst) closeSync(openSync(join(dataDir, name), 'a', 0o600));
  for (const entry of readdirSync(dataDir, { withFileTypes: true }))
    if (entry.isFile() && ours.test(entry.name)) close(join(dataDir, entry.name), 0o600);
}

function close(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    // A file of another user is in this place. Opening it will report why it cannot be used.
  }
}
