import { chmodSync, closeSync, existsSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { BackupFacts } from '../../../src-preload/backup.ts';
import { isLive, type Job } from '../../../src-preload/job.ts';
import { readDocument, writeDocument } from '../file/documents.ts';
import { openSound } from '../file/open.ts';
import { atomically } from '../file/row.ts';
import { readJobsToRetry, readLiveJobs, updateJobByKey } from '../jobs/jobs.ts';
import { detachIndex } from '../file/index-file.ts';
import { type LongWork, readFacts } from './back-up.ts';
import { mergedJobText, notBackupText } from '../../messages/backup.ts';

/** Why a file cannot be read as a history, in words for the user. */
export class Unreadable extends Error {}

const copiedAtOnce = 4_194_304;

/**
 * Copies a file that may be a history of Jobdeck to `into`, checks the copy, and migrates it to this version. The file
 * itself is only read. Throws `Unreadable` if it is not a history, and what `check` throws.
 */
export function importBackup(path: string, into: string, { check, onProgress }: LongWork): BackupFacts {
  forgetIncoming(into);
  try {
    const file = statSync(path, { throwIfNoEntry: false });
    if (file === undefined) throw new Unreadable(notBackupText.gone);
    if (!file.isFile()) throw new Unreadable(notBackupText.noFile);
    if (file.size === 0) throw new Unreadable(notBackupText.empty);
    copy(path, into, (bytes) => {
      check();
      onProgress((0.5 * bytes) / file.size);
    });
    // A history that was not closed properly has its last changes here.
    if (existsSync(`${path}-wal`)) copy(`${path}-wal`, `${into}-wal`, check);
    const opened = openSound(into, check);
    if (!('isOpen' in opened)) throw new Unreadable(notBackupText[opened.reason]);
    try {
      // In place of the history, it would otherwise use the index of the one that it replaces.
      detachIndex(opened);
      return { ...readFacts(opened), bytes: file.size };
    } finally {
      opened.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      opened.close();
    }
  } catch (error) {
    forgetIncoming(into);
    throw error;
  }
}

/** Deletes the copy. */
function forgetIncoming(into: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(into + suffix, { force: true });
}

function copy(from: string, to: string, onCopied: (bytes: number) => void): void {
  const source = openSync(from, 'r');
  try {
    const target = openSync(to, 'wx', 0o600);
    try {
      chmodSync(to, 0o600);
      const buffer = Buffer.allocUnsafe(copiedAtOnce);
      for (let copied = 0; ;) {
        const read = readSync(source, buffer);
        if (read === 0) return;
        for (let at = 0; at < read;) at += writeSync(target, buffer, at, read - at);
        copied += read;
        onCopied(copied);
      }
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/**
 * Keeps a restored history from sending anything. All jobs are indexed again. Its retention rule is switched off,
 * because it could delete within the hour what the user restored.
 */
export function holdBack(db: DatabaseSync): void {
  atomically(db, () => {
    holdBackUnsent(db);
    db.exec(
      `UPDATE documents SET json = json_remove(json, '$.retention', '$.forgetOutputsAfterDays')
      WHERE kind = 'settings' AND json_valid(json)`,
    );
    // Otherwise the index of the history before it would count as its own.
    db.exec('UPDATE search_identity SET id = lower(hex(randomblob(16)))');
  });
}

/**
 * Keeps an older copy of a history from sending anything: what waited to be sent when the copy was made may have been
 * sent since, so its outcome is unknown; waiting retries are dropped, and so are cancels, because the job may have been
 * retried since. Returns how many jobs that concerned.
 */
function holdBackUnsent(db: DatabaseSync): number {
  const live = readLiveJobs(db).filter(({ phase, isCancelling }) => phase !== 'active' || isCancelling);
  for (const job of live) updateJobByKey(db, job.phase === 'active' ? { ...job, isCancelling: false } : heldBack(job));
  const toRetry = readJobsToRetry(db);
  for (const { retryRequestedAtMs: _retryRequestedAtMs, ...job } of toRetry) updateJobByKey(db, job);
  return live.length + toRetry.length;
}

/** The document that says which file the history is in. */
const ownFile = { kind: 'history-file', id: 'this' } as const;

/**
 * Recognises a history that another program copied to `path`, such as a restored backup of the data folder: it is in
 * another file than the one it names. Holds back what such a copy would send, and returns how many jobs that concerned.
 * (The image of a whole disk has the same files, so it is not recognised.)
 */
export function holdBackIfCopied(db: DatabaseSync, path: string): number {
  // As text, because it is longer than a number holds. Some file systems have none.
  const file = statSync(path, { bigint: true }).ino.toString();
  const named = readDocument(db, ownFile.kind, ownFile.id);
  if (file === '0' || named === JSON.stringify(file)) return 0;
  try {
    return atomically(db, () => {
      writeDocument(db, ownFile.kind, ownFile.id, JSON.stringify(file));
      return named === null ? 0 : holdBackUnsent(db);
    });
  } catch (error) {
    // A full disk keeps no history of a former version from being read. A later start names the file.
    if (named === null) return 0;
    throw error;
  }
}

/** A job that another history would send, in the form in which it is merged into this one. */
export function heldBack(job: Job): Job {
  if (!isLive(job) || job.phase === 'active') return job;
  const reason = { kind: 'prose', text: mergedJobText.maybeSent } as const;
  return { ...job, phase: 'outcome-unknown', isCancelling: false, reason };
}
