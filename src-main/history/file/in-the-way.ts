import { closeSync, lstatSync, openSync, readlinkSync, realpathSync, renameSync, statSync } from 'node:fs';
import { databaseErrorText } from '../../messages/history.ts';
import { errorText } from '../../async/error-text.ts';
import { asideName } from './aside-name.ts';
import { storageErrorMessage } from './integrity.ts';

/** A database's own file, its log and the index of that. */
const suffixes = ['', '-wal', '-shm'];

/**
 * Creates a database's file, if there is none, before SQLite does: it would be readable by others if the user's umask
 * allows it. Its -wal and -shm files follow it. Throws in words for the user if it cannot be created or written, or if
 * something that is no file is in its place or in that of its companions.
 */
export function createPrivate(path: string): void {
  const inTheWay = whatIsInTheWay(path);
  if (inTheWay !== null) throw new Error(inTheWay);
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw new Error(storageErrorMessage(error), { cause: error });
  }
}

/** What is in the place of a database or its companions and is no file, in words for the user. Null if nothing is. */
function whatIsInTheWay(path: string): string | null {
  for (const suffix of suffixes) {
    const place = realOf(path) + suffix;
    const found = describe(place);
    if (found !== null) return found;
  }
  return null;
}

function describe(place: string): string | null {
  if (lstatSync(place, { throwIfNoEntry: false }) === undefined) return null;
  try {
    const entry = statSync(place, { throwIfNoEntry: false });
    if (entry === undefined) return databaseErrorText.linkToNothing(place, readlinkSync(place));
    if (entry.isFile()) return null;
    return entry.isDirectory() ? databaseErrorText.isFolder(place) : databaseErrorText.isNoFile(place);
  } catch (error) {
    return databaseErrorText.badLink(place, errorText(error));
  }
}

/** SQLite keeps the companions beside the file that a link leads to. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // There is none yet, or a link that leads nowhere.
    return path;
  }
}

/**
 * Renames each folder in the place of a database that can be created again, or of its companions, to a dated name. It
 * may be the user's. Returns the new paths.
 */
export function setFoldersAside(path: string, nowMs: number): string[] {
  return suffixes
    .map((suffix) => path + suffix)
    .filter((place) => lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true)
    .map((place) => {
      const aside = asideName(place, 'folder', nowMs);
      renameSync(place, aside);
      return aside;
    });
}
