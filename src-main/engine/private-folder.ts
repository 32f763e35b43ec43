import { chmodSync, closeSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What SQLite would make readable to others, where the user's umask lets it. Its -wal and -shm follow the file. */
const madeFirst = ['history.db'];
/** Files of ours by the beginning of their names: databases with what lies beside them, logs, the window's place. */
const ours = /^(history|sandbox|jobdeck|window)\b/;

/**
 * Makes the data folder, and all files of ours in it, readable by this user alone: inputs and outputs are private. What
 * a former version left open to others is closed. A file system without such rights is left as it is.
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
    // Somebody else's file in our place: opening it says why it cannot be used.
  }
}
