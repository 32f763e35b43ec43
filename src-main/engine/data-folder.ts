import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, realpathSync, existsSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Failure } from '../../src-preload/failure.ts';
import { storageErrorCode } from '../history/file/integrity.ts';
import { saveText, folderText } from '../messages/engine.ts';
import { DatabaseSync } from 'node:sqlite';
import { errorText } from '../async/error-text.ts';
import type { Log } from '../log.ts';

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

/** A Jobdeck that is just ending has the folder for a moment longer. Milliseconds; main is blocked meanwhile. */
const waitMs = 1_000;
/** SQLITE_BUSY: somebody else has the lock. */
const busyCode = 5;

/**
 * Locks the data folder for this process until the returned function is called. Throws if another process has it, on
 * this computer or another one. Electron's own lock goes by the spelling of the folder's path, and two processes with
 * one history would each send what waits in it. SQLite's lock belongs to the file, and ends with the process. Where it
 * is not available (a full disk, a file system without locks), the folder is used as it is.
 */
export function lockFolder(dataDir: string, log: Log): () => void {
  try {
    return locked(join(dataDir, 'jobdeck.lock'));
  } catch (error) {
    if (storageErrorCode(error) === busyCode) throw new Error(folderText.inUse(dataDir), { cause: error });
    log.warn('The data folder could not be locked', { detail: errorText(error) });
    return () => undefined;
  }
}

function locked(path: string): () => void {
  // Only if it does not exist: closing any handle of a file ends this process's locks on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const lock = new DatabaseSync(path, { timeout: waitMs });
  try {
    // Nothing is ever written, so it needs no journal beside it.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw error;
  }
  return () => lock.close();
}

/** Beside the history: the copy of an open backup, a page of an export, and the index of a log that is gone. */
const unfinished = /^history\.db-(?:incoming(?:-wal|-shm|-journal)?|export\.[\da-f]+\.part|restore-shm)$/;

/**
 * Deletes what a crash left unfinished in the data folder. The copy of a backup may be as large as the history, and has
 * jobs that were deleted since. Call it before anything is opened there. A file that cannot be deleted stays.
 */
export function removeLeftovers(dataDir: string, log: Log): void {
  for (const name of readdirSync(dataDir).filter((each) => unfinished.test(each)))
    try {
      rmSync(join(dataDir, name), { force: true });
    } catch (error) {
      log.warn('A file that a crash left could not be deleted', { name, detail: errorText(error) });
    }
}
