import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type {
  BackupFacts,
  BackupProgress,
  MergedJobs,
  OpenedBackup,
  RestoredBackup,
  WrittenBackup,
} from '../../src-preload/backup.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import { failed, ok, type Failure, type Result } from '../../src-preload/failure.ts';
import type { Job } from '../../src-preload/job.ts';
import { errorText } from '../async/error-text.ts';
import type { BackupTask } from '../history/backup/backup-thread.ts';
import type { MergeConnection } from '../history/backup/merge-rule.ts';
import { armRestore, armUndo, readRestored } from '../history/backup/restore.ts';
import { runBackupTask } from './backup-task.ts';
import { closingFailure } from './closing.ts';
import { fromHistory, type History } from '../history/history.ts';
import { backupText } from '../messages/backup.ts';

export interface BackupsParts {
  /** The history in use. */
  path: string;
  /** Why no backup may be written to a place; null where it may. */
  refusalOf: (target: string) => Failure | null;
  threadUrl: URL;
  history: Pick<History, 'mergePage' | 'mergeJob' | 'countIncoming' | 'endMerge'>;
  /** Merges a live job as one of its serialised changes. */
  mergeIn: (key: string, write: () => Promise<Job | null>) => Promise<Job | null>;
  connections: () => Promise<readonly MergeConnection[]>;
  /** Jobs that a merge added or completed. */
  onMerged: (jobs: readonly Job[]) => void;
  /** A merge has ended, completely or not. */
  onMergeEnded: () => Promise<void>;
  onProgress: (progress: BackupProgress | null) => void;
}

const busy: Failure = { kind: 'refused', message: backupText.busy };
const nothingOpen: Failure = { kind: 'absent', message: backupText.notOpen };

/** The least time between progress reports. */
const reportedEveryMs = 100;

/** Backups of the history while it is in use, their restore, and the merge of another history. One at a time. */
export class Backups {
  readonly #parts: BackupsParts;
  #opened: OpenedBackup | null = null;
  /** Cancels what is in progress, or null. */
  #cancel: (() => void) | null = null;
  #inProgress: Promise<unknown> = Promise.resolve();
  #reportedAtMs = -Infinity;
  #isEnded = false;

  constructor(parts: BackupsParts) {
    this.#parts = parts;
  }

  /** Where a file that may be restored or merged is kept meanwhile. */
  get #incoming(): string {
    return `${this.#parts.path}-incoming`;
  }

  /** Copies the whole history to `target`, which is complete and sound or does not exist. Null: it was cancelled. */
  write(target: string): Promise<Result<WrittenBackup | null>> {
    const refusal = this.#parts.refusalOf(target);
    if (refusal !== null) return Promise.resolve(failed(refusal));
    const unfinished = `${target}.${randomUUID().slice(0, 8)}.part`;
    return this.#alone('write', async (ask) => {
      const answer = await ask({ kind: 'write', source: this.#parts.path, target, unfinished });
      if (answer.ok) return ok(answer.value === null ? null : { ...answer.value, path: target });
      const { message } = answer.failure;
      return failed({ ...answer.failure, message: backupText.notWritten(message) });
    });
  }

  /** Checks a file that may be a history. It is then open for `restore` and `merge`. Null: that was cancelled. */
  open(path: string): Promise<Result<OpenedBackup | null>> {
    return this.#alone('check', async (ask) => {
      this.#opened = null;
      const answer = await ask({ kind: 'take-in', path, into: this.#incoming });
      if (!answer.ok) return answer;
      if (answer.value === null) return ok(null);
      this.#opened = { ...answer.value, path };
      return ok(this.#opened);
    });
  }

  /** Closes the open file. */
  async close(): Promise<void> {
    if (this.#opened === null) return;
    this.#opened = null;
    for (const suffix of ['', '-wal', '-shm']) await rm(this.#incoming + suffix, { force: true });
  }

  /** Makes the open file the history at the next start, with the jobs that are active now. */
  restore(): Promise<Result<null>> {
    return this.#alone('check', async (ask) => {
      if (this.#opened === null) return failed(nothingOpen);
      const held = await ask({ kind: 'hold-back', path: this.#incoming, present: this.#parts.path });
      if (!held.ok) return held;
      armRestore(this.#parts.path, this.#incoming);
      this.#opened = null;
      return ok(null);
    });
  }

  /** The last restore, while it can be undone. */
  restored(): RestoredBackup | null {
    return readRestored(this.#parts.path);
  }

  /** Makes the history that the last restore set aside the history again, at the next start. */
  undoRestore(): Result<RestoredBackup> {
    if (this.#isEnded) return failed(closingFailure);
    const undone = armUndo(this.#parts.path);
    return undone === null ? failed({ kind: 'absent', message: backupText.formerGone }) : ok(undone);
  }

  /** Merges the open file into the history, page by page. Other work continues between the pages. */
  merge(): Promise<Result<MergedJobs>> {
    return this.#alone('merge', async (_ask, isWanted) => {
      if (this.#opened === null) return failed(nothingOpen);
      const merged: MergedJobs = { added: 0, enriched: 0, known: 0 };
      try {
        const problem = await fromHistory(this.#mergePages(merged, isWanted));
        if (!problem.ok)
          return failed({ ...problem.failure, message: backupText.mergeFailed(problem.failure.message) });
        if (!isWanted()) return failed({ kind: 'refused', message: backupText.mergeStopped });
        await this.close();
        return ok(merged);
      } finally {
        await this.#parts.history.endMerge().catch(() => undefined);
        await this.#parts.onMergeEnded();
      }
    });
  }

  /** Cancels what is in progress: a backup and the check of a file change nothing then, and a merge stops. */
  cancel(): void {
    this.#cancel?.();
  }

  /** Cancels what is in progress and waits for it. Nothing new is begun afterwards. */
  async end(): Promise<void> {
    this.#isEnded = true;
    this.cancel();
    await this.#inProgress;
    await this.close();
  }

  async #mergePages(merged: MergedJobs, isWanted: () => boolean): Promise<void> {
    const { history, connections, mergeIn, onMerged } = this.#parts;
    const path = this.#incoming;
    const known = (await connections()).map(({ id, baseUrl }) => ({ id, baseUrl }));
    const total = await history.countIncoming(path);
    let done = 0;
    let afterKey: string | null = null;
    while (isWanted()) {
      const page: Awaited<ReturnType<History['mergePage']>> = await history.mergePage(path, afterKey, known);
      if (page.lastKey === null) return;
      afterKey = page.lastKey;
      const changed = [...page.added, ...page.enriched];
      merged.added += page.added.length;
      merged.enriched += page.enriched.length;
      merged.known += page.known;
      for (const { theirKey, key } of page.live) {
        const job = await mergeIn(key, () => history.mergeJob(path, theirKey, known));
        merged[job === null ? 'known' : 'enriched'] += 1;
      }
      if (changed.length > 0) onMerged(changed);
      done += changed.length + page.known + page.live.length;
      this.#reportProgress('merge', total === 0 ? 1 : done / total);
    }
  }

  /**
   * Runs `work` if nothing else is in progress. `ask` sends a request to the thread and returns null if that was
   * cancelled, or if it was `hold-back`, which has no facts and cannot be cancelled.
   */
  #alone<T>(
    doing: BackupProgress['doing'],
    work: (
      ask: (task: BackupTask) => Promise<Result<BackupFacts | null>>,
      isWanted: () => boolean,
    ) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    if (this.#isEnded) return Promise.resolve(failed(closingFailure));
    if (this.#cancel !== null) return Promise.resolve(failed(busy));
    const ended = new SharedArrayBuffer(4);
    const flag = new Int32Array(ended);
    this.#cancel = () => void Atomics.store(flag, 0, 1);
    this.#reportedAtMs = -Infinity;
    this.#reportProgress(doing, 0);
    const result = work(
      (task) => runBackupTask(this.#parts.threadUrl, { task, ended }, (share) => this.#reportProgress(doing, share)),
      () => Atomics.load(flag, 0) === 0,
    )
      .catch((error: unknown): Result<T> => {
        const detail = errorText(error);
        return failed({ kind: 'storage', message: detail, detail });
      })
      .finally(() => {
        this.#cancel = null;
        this.#parts.onProgress(null);
      });
    this.#inProgress = result;
    return result;
  }

  #reportProgress(doing: BackupProgress['doing'], share: number): void {
    const atMs = performance.now();
    if (atMs - this.#reportedAtMs < reportedEveryMs) return;
    this.#reportedAtMs = atMs;
    this.#parts.onProgress({ doing, share: Math.min(1, share) });
  }
}

type BackupCall = Exclude<Extract<keyof Handlers, `backup:${string}`>, DesktopBackupCall>;
/** The calls that need a dialog or a restart. */
export type DesktopBackupCall = 'backup:write' | 'backup:open' | 'backup:restore' | 'backup:undoRestore';

/** Handlers of the calls about backups. */
export function backupHandlers(backups: Backups): Pick<Handlers, BackupCall> {
  return {
    'backup:cancel': () => {
      backups.cancel();
      return ok(null);
    },
    'backup:close': async () => {
      await backups.close();
      return ok(null);
    },
    'backup:merge': () => backups.merge(),
    'backup:restored': () => ok(backups.restored()),
  };
}
