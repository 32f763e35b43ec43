import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Failure } from '../../src-preload/failure.ts';

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

/** Everything of ours in the data folder by its first name there. */
const ownNames = /^(history|sandbox|jobdeck|window|secrets|compiled)\b/i;

/**
 * Why nothing that the user saves may go to `path`: a file of that name in the data folder is Jobdeck's own, and the
 * history in use would be lost. Null where it may.
 */
export function ownFileRefusal(dataDir: string, path: string): Failure | null {
  const inside = relative(realOf(dataDir), join(realOf(dirname(path)), basename(path)));
  if (isAbsolute(inside) || !ownNames.test(inside.split(sep)[0] ?? '')) return null;
  return {
    kind: 'refused',
    message: `Jobdeck keeps its own data under this name: ${path}. Nothing was written. Choose another name or folder.`,
  };
}

function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    // There is no such folder; writing there says so.
    return folder;
  }
}

function close(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    // Somebody else's file in our place: opening it says why it cannot be used.
  }
}
