import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import type { BackupFacts } from '../../../src-preload/backup.ts';
import { findDamage } from '../file/integrity.ts';
import { backupText } from '../../messages/backup.ts';
import { number, numberOrNull, statement } from '../file/row.ts';

/** How many pages are copied between two checks for a cancel: 4 MB. */
const pagesAtOnce = 1_024;

/** A long piece of work that reports its progress and can be cancelled. */
export interface LongWork {
  /** Throws if the work was cancelled. */
  check: () => void;
  /** From 0 to 1. */
  onProgress: (share: number) => void;
}

/**
 * Copies the history at `source`, in its present state, to `target`, while another thread writes it: a reader of its
 * own sees a single moment and never blocks a writer. The copy is checked before it is renamed, is readable by this
 * user only, and is complete or does not exist. Throws if the disk refuses, and what `check` throws.
 */
export async function writeBackup(
  source: string,
  target: string,
  unfinished: string,
  { check, onProgress }: LongWork,
): Promise<BackupFacts> {
  // Before anything is in it, so that only this user can ever read it.
  closeSync(openSync(unfinished, 'wx', 0o600));
  try {
    const from = new DatabaseSync(source, { readOnly: true, timeout: 5_000 });
    try {
      // From here on it sees this moment, whatever is written meanwhile.
      from.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
      await backup(from, unfinished, {
        rate: pagesAtOnce,
        progress({ totalPages, remainingPages }) {
          check();
          onProgress(totalPages === 0 ? 0 : (copyShare * (totalPages - remainingPages)) / totalPages);
        },
      });
    } finally {
      from.close();
    }
    const facts = checkCopy(unfinished, check);
    const file = openSync(unfinished, 'r+');
    fsyncSync(file);
    closeSync(file);
    check();
    renameSync(unfinished, target);
    flushFolder(dirname(target));
    onProgress(1);
    return { ...facts, bytes: statSync(target).size };
  } catch (error) {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(unfinished + suffix, { force: true });
    throw error;
  }
}

/** The share of a backup's time that copying takes. The rest is checking the copy. */
const copyShare = 0.7;

/** Reads the whole copy, as one file without companions. */
function checkCopy(path: string, check: () => void): Omit<BackupFacts, 'bytes'> {
  const db = new DatabaseSync(path);
  try {
    db.exec('PRAGMA journal_mode = DELETE');
    check();
    const damage = findDamage(db, check);
    if (damage !== null) throw new Error(backupText.copyDamaged(damage));
    // Free pages have what was deleted a moment ago.
    db.exec('PRAGMA incremental_vacuum');
    return readFacts(db);
  } finally {
    db.close();
  }
}

/** Makes the new name survive a power failure. Some systems cannot do this to a folder, and need not. */
function flushFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    // Windows cannot open folders.
  }
}

/** The content of an open history. */
export function readFacts(db: DatabaseSync): Omit<BackupFacts, 'bytes'> {
  const row = statement(
    db,
    'SELECT count(*) AS jobs, min(created_at_ms) AS oldest, max(created_at_ms) AS newest FROM jobs',
  ).get();
  if (row === undefined) return { jobs: 0, oldestMs: null, newestMs: null };
  return { jobs: number(row, 'jobs'), oldestMs: numberOrNull(row, 'oldest'), newestMs: numberOrNull(row, 'newest') };
}
