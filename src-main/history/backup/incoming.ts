import { chmodSync, closeSync, existsSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { BackupFacts } from '../../../src-preload/backup.ts';
import { isLive, type Job } from '../../../src-preload/job.ts';
import { openSound } from '../file/open.ts';
import { atomically } from '../file/row.ts';
import { readJobsToRetry, readLiveJobs, updateJobByKey } from '../jobs/jobs.ts';
import { detachIndex } from '../file/index-file.ts';
import type { LongWork } from './back-up.ts';
import { readFacts } from './facts.ts';
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
 * Keeps a restored history from sending anything: what waited to be sent when the backup was made may have been sent
 * since, so its outcome is unknown; waiting retries are dropped, and so are cancels, because the job may have been
 * retried since. All jobs are indexed again. Its retention rule is
 * switched off, because it could delete within the hour what the user restored.
 */
export function holdBack(db: DatabaseSync): void {
  atomically(db, () => {
    for (const job of readLiveJobs(db)) {
      if (job.phase !== 'active') updateJobByKey(db, heldBack(job));
      else if (job.isCancelling) updateJobByKey(db, { ...job, isCancelling: false });
    }
    for (const { retryRequestedAtMs: _retryRequestedAtMs, ...job } of readJobsToRetry(db)) updateJobByKey(db, job);
    db.exec(
      `UPDATE documents SET json = json_remove(json, '$.retention', '$.forgetOutputsAfterDays')
      WHERE kind = 'settings' AND json_valid(json)`,
    );
    // Otherwise the index of the history before it would count as its own.
    db.exec('UPDATE search_identity SET id = lower(hex(randomblob(16)))');
  });
}

/** A job that another history would send, in the form in which it is merged into this one. */
export function heldBack(job: Job): Job {
  if (!isLive(job) || job.phase === 'active') return job;
  const reason = { kind: 'prose', text: mergedJobText.maybeSent } as const;
  return { ...job, phase: 'outcome-unknown', isCancelling: false, reason };
}
