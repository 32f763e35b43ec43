import { Worker } from 'node:worker_threads';
import type { BackupFacts } from '../../src-preload/backup.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { threadEnv } from '../async/thread-env.ts';
import type { BackupStart, FromBackup } from '../history/backup/backup-thread.ts';
import { backupText } from '../messages/backup.ts';

/**
 * Runs one task on the file of a history, in a thread of its own. Resolves when that has ended. `onProgress` gets a
 * share from 0 to 1.
 */
export function runBackupTask(
  threadUrl: URL,
  start: BackupStart,
  onProgress: (share: number) => void,
): Promise<Result<BackupFacts | null>> {
  const { promise, resolve } = Promise.withResolvers<Result<BackupFacts | null>>();
  const worker = new Worker(threadUrl, { workerData: start, name: 'backup', env: threadEnv() });
  let answer: Result<BackupFacts | null> = failed({ kind: 'storage', message: backupText.endedUnexpectedly });
  worker.on('message', (message: FromBackup) => {
    if (message.kind === 'progress') onProgress(message.share);
    else answer = answerOf(message);
  });
  worker.on('error', (error) => {
    answer = failed({ kind: 'storage', message: error.message, detail: error.message });
  });
  worker.on('exit', () => resolve(answer));
  return promise;
}

function answerOf(message: Exclude<FromBackup, { kind: 'progress' }>): Result<BackupFacts | null> {
  switch (message.kind) {
    case 'done':
      return ok(message.facts);
    case 'cancelled':
      return ok(null);
    case 'failed':
      return failed({ kind: message.why === 'disk' ? 'storage' : 'refused', message: message.message });
  }
}
