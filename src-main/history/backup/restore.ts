import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { RestoredBackup } from '../../../src-preload/backup.ts';
import { parseJson } from '../../../src-preload/json-spans.ts';
import { asideName } from '../file/aside-name.ts';
import { writeProblem } from '../../whole-file.ts';

/**
 * A restore takes two steps, because the history cannot be replaced while it is in use: the new file is prepared beside
 * it, and replaces it at the next start, before anything is opened. Every step is a rename, so that it can continue
 * after a crash between two steps.
 */

/** The file that will become the history at `path`. */
const armedAt = (path: string): string => `${path}-restore`;
/** The note of what the last restore set aside. */
const noteAt = (path: string): string => `${path}-restored.json`;

const note = z.object({ atMs: z.number(), asidePath: z.string() });

/** Nothing was exchanged yet, and the history there is can be opened: the restore is tried again at the next start. */
export class RestoreDelayed extends Error {}

/** Makes `ready`, a sound history beside the one at `path`, replace it at the next start. */
export function armRestore(path: string, ready: string): void {
  takeBackChanges(path);
  renameSync(ready, armedAt(path));
}

/**
 * The -wal of what is set aside, which an undo that was interrupted took along first, goes back to it: beside another
 * history SQLite would take its changes for that one's.
 */
function takeBackChanges(path: string): void {
  const changes = `${armedAt(path)}-wal`;
  const noted = readNote(path);
  if (existsSync(armedAt(path)) || !existsSync(changes) || noted === null) return;
  if (existsSync(noted.asidePath) && !existsSync(`${noted.asidePath}-wal`))
    renameSync(changes, `${noted.asidePath}-wal`);
}

/**
 * The history that was prepared and is to replace the one at `path`, while that is still in its place and can be read.
 * Null if there is none.
 */
export function preparedFor(path: string): string | null {
  if (!existsSync(armedAt(path)) || !existsSync(path)) return null;
  takeBackLog(path);
  return armedAt(path);
}

/**
 * A restore that ended behind its first step took the -wal away from a history that is still here. Reading it without
 * would begin an empty one, which would then take the place of the one with the last changes.
 */
function takeBackLog(path: string): void {
  const noted = readNote(path);
  if (noted === null || existsSync(noted.asidePath) || !existsSync(`${noted.asidePath}-wal`)) return;
  const here = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (here === undefined || here.size === 0) renameSync(`${noted.asidePath}-wal`, `${path}-wal`);
}

/**
 * Replaces the history at `path` with one that was prepared, and sets the former one aside under a dated name. Returns
 * null if none was prepared. Call it before anything is opened. Throws `RestoreDelayed` if the disk refuses the first
 * step.
 */
export function finishRestore(path: string, nowMs: number): RestoredBackup | null {
  const armed = armedAt(path);
  if (!existsSync(armed)) return null;
  // Noted before the first step, so that an interrupted restore continues under the same name.
  const noted = readNote(path);
  const isSetAside = noted !== null && !existsSync(path);
  const isFree = noted !== null && ['', '-wal'].every((suffix) => !existsSync(noted.asidePath + suffix));
  const restored =
    noted !== null && (isSetAside || isFree)
      ? noted
      : { atMs: nowMs, asidePath: asideName(path, 'before-restore', nowMs) };
  if (restored !== noted) writeNote(path, restored);
  // The -wal first: without it the file would lack its last changes, and the new history must not find it.
  // Once the history is set aside, a -wal that is here came with the prepared one.
  for (const suffix of isSetAside ? [] : ['-wal', '-shm', ''])
    if (existsSync(path + suffix)) renameSync(path + suffix, restored.asidePath + suffix);
  if (existsSync(`${armed}-wal`)) renameSync(`${armed}-wal`, `${path}-wal`);
  renameSync(armed, path);
  return restored;
}

/** Whole or not at all, as on a full disk: by a note cut short nothing that was set aside could be found again. */
function writeNote(path: string, restored: RestoredBackup): void {
  const unfinished = `${noteAt(path)}.part`;
  try {
    writeFileSync(unfinished, JSON.stringify(restored), { mode: 0o600 });
    renameSync(unfinished, noteAt(path));
  } catch (error) {
    rmSync(unfinished, { force: true, recursive: true });
    throw new RestoreDelayed(writeProblem(error));
  }
}

function readNote(path: string): RestoredBackup | null {
  if (!existsSync(noteAt(path))) return null;
  const read = note.safeParse(parseJson(readFileSync(noteAt(path), 'utf8')));
  return read.success ? read.data : null;
}

/** The last restore, if what it set aside still exists. */
export function readRestored(path: string): RestoredBackup | null {
  const noted = readNote(path);
  return noted !== null && existsSync(noted.asidePath) ? noted : null;
}

/** Makes the history that the last restore set aside replace the present one at the next start. */
export function armUndo(path: string): RestoredBackup | null {
  const restored = readRestored(path);
  if (restored === null) return null;
  const { asidePath } = restored;
  if (existsSync(`${asidePath}-wal`)) renameSync(`${asidePath}-wal`, `${armedAt(path)}-wal`);
  renameSync(asidePath, armedAt(path));
  rmSync(noteAt(path), { force: true });
  return restored;
}
