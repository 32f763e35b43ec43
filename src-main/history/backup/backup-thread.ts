import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { BackupFacts } from '../../../src-preload/backup.ts';
import { writeProblem } from '../../whole-file.ts';
import { storageErrorCode, storageErrorMessage } from '../file/integrity.ts';
import { writeBackup, type LongWork } from './back-up.ts';
import { holdBack, importBackup, Unreadable } from './incoming.ts';
import { mergePresent } from './merge.ts';
import { migrate } from '../file/migrations.ts';
import { readLiveJobs, readUnendedKeys } from '../jobs/jobs.ts';
import { leftBehindText } from '../../messages/backup.ts';
import { fileText } from '../../messages/engine.ts';

/** The task of the thread, which ends after it. */
export type BackupTask =
  | { kind: 'write'; source: string; target: string; unfinished: string }
  | { kind: 'take-in'; path: string; into: string }
  /** The history at `path` is to take the place of the one at `present`. */
  | { kind: 'hold-back'; path: string; present: string }
  /** It is about to take that place. Fails as `unreadable`, with everything else done, if jobs are left behind. */
  | { kind: 'catch-up'; path: string; present: string };

export interface BackupStart {
  task: BackupTask;
  /** One flag: other than 0, the work was cancelled. A busy thread receives no messages. */
  ended: SharedArrayBuffer;
}

export type FromBackup =
  | { kind: 'progress'; share: number }
  | { kind: 'done'; facts: BackupFacts | null }
  | { kind: 'cancelled' }
  /** `why`: the file cannot be read as a history, or the disk refused. */
  | { kind: 'failed'; why: 'unreadable' | 'disk'; message: string };

class Cancelled extends Error {}

async function run(task: BackupTask, work: LongWork): Promise<BackupFacts | null> {
  switch (task.kind) {
    case 'write':
      return await writeBackup(task.source, task.target, task.unfinished, work);
    case 'take-in':
      return importBackup(task.path, task.into, work);
    case 'hold-back':
      prepare(task, (db) => {
        const live = readLiveJobs(db).map(({ key }) => key);
        holdBack(db);
        mergePresent(db, task.present, live);
      });
      return null;
    case 'catch-up': {
      const leftOut = prepare(task, (db) => {
        migrate(db);
        return mergePresent(db, task.present, readUnendedKeys(db));
      });
      if (leftOut === null) throw new Unreadable(leftBehindText.all);
      if (leftOut.length > 0) throw new Unreadable(leftBehindText.some(leftOut));
      return null;
    }
  }
}

/** Changes the history at `path`, which is open only here. It is one file afterwards. */
function prepare<T>({ path }: { path: string }, change: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: true });
  try {
    const answer = change(db);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return answer;
  } finally {
    db.close();
  }
}

function failureOf(error: unknown): FromBackup {
  if (error instanceof Cancelled) return { kind: 'cancelled' };
  if (error instanceof Unreadable) return { kind: 'failed', why: 'unreadable', message: error.message };
  return { kind: 'failed', why: 'disk', message: diskErrorText(error) };
}

function diskErrorText(error: unknown): string {
  const sqlite = storageErrorCode(error);
  if (sqlite === 13) return fileText.fullDisk;
  if (sqlite === 8 || sqlite === 14) return fileText.closedFolder;
  if (sqlite !== null) return storageErrorMessage(error);
  return writeProblem(error);
}

if (parentPort !== null) {
  const port = parentPort;
  const { task, ended }: BackupStart = workerData;
  const flag = new Int32Array(ended);
  const send = (message: FromBackup): void => port.postMessage(message, []);
  const work: LongWork = {
    check() {
      if (Atomics.load(flag, 0) !== 0) throw new Cancelled();
    },
    onProgress: (share) => send({ kind: 'progress', share }),
  };
  run(task, work)
    .then((facts) => send({ kind: 'done', facts }))
    .catch((error: unknown) => send(failureOf(error)));
}
