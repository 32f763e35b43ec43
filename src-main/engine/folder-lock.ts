import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { storageErrorCode } from '../history/file/integrity.ts';
import { errorText } from '../async/error-text.ts';
import { folderText } from '../messages/engine.ts';
import type { Log } from '../log.ts';

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
