import { chmodSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Failure } from '../../src-preload/failure.ts';
import { saveText } from '../messages/engine.ts';

/** Our files, by the beginning of their names: databases with their companions, logs, the window's place. */
const ours = /^(history|sandbox|jobdeck|window)\b/;

/**
 * Makes the data folder and our files in it readable by this user only, because inputs and outputs are private. Files
 * that a former version left open to others are closed. A file system without such permissions is left as it is.
 */
export function makePrivate(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  close(dataDir, 0o700);
  for (const entry of readdirSync(dataDir, { withFileTypes: true }))
    if (entry.isFile() && ours.test(entry.name)) close(join(dataDir, entry.name), 0o600);
}

/** Everything of Jobdeck in the data folder by its first name there. */
const ownNames = /^(history|sandbox|jobdeck|window|secrets|compiled|opened)\b/i;

/**
 * Why nothing that the user saves may go to `path`: a file of that name in the data folder is Jobdeck's own, and the
 * history in use would be lost. Null where it may.
 */
export function ownFileRefusal(dataDir: string, path: string): Failure | null {
  const inside = relative(realOf(dataDir), join(realOf(dirname(path)), basename(path)));
  if (isAbsolute(inside) || !ownNames.test(inside.split(sep)[0] ?? '')) return null;
  return { kind: 'refused', message: saveText.ownFile(path) };
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
    // A file of another user is in this place. Opening it will report why it cannot be used.
  }
}
