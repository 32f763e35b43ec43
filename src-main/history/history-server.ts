import { existsSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import type { HistoryPreparation } from '../../src-preload/app.ts';
import { historyThreadText } from '../messages/history.ts';
import { holdBackIfCopied } from './backup/incoming.ts';
import { Bin } from './bin/bin.ts';
import { PageCache } from './file/cache.ts';
import { noteDamage, storageErrorMessage } from './file/integrity.ts';
import { openDatabase, type IndexedDatabase } from './file/open.ts';
import { IdleWork } from './idle-work.ts';
import { noteNewestBatches } from './jobs/batch-counts.ts';
import { maxListed } from './jobs/batches.ts';
import { JobCounter } from './jobs/counts.ts';
import { StagedRows } from './jobs/staged-rows.ts';
import type { Counted, FromWorker, Reply, ToWorker, WorkerStart } from './protocol.ts';
import { isWithoutTransaction, runCalls, type RunContext } from './run-calls.ts';
import { IndexLink } from './search/index-link.ts';
import { readUnsearchable, tryUnsearchableAgain } from './search/unsearchable-jobs.ts';
import { SentCounts } from './sent-counts.ts';

/** After a change, idle work waits this long for the next one. */
const afterWriteMs = 8;
/** The app's start comes first. A search does not wait for this. */
const usualIndexAfterMs = 250;

export interface HistoryServerOptions {
  /** The script of the index's thread. */
  indexScript: URL;
  /** How long after the history was opened that thread starts if nothing is searched before. */
  indexAfterMs?: number;
}

/** Serves one history until it is closed, or refuses it; then `port` is closed. */
export function serveHistory(port: MessagePort, start: WorkerStart, options: HistoryServerOptions): void {
  try {
    const server = new HistoryServer(port, start, options);
    server.open();
  } catch (error) {
    const refused: FromWorker = { kind: 'refused', message: storageErrorMessage(error) };
    port.postMessage(refused, []);
    port.close();
  }
}

/** The owner of the database, in a thread of its own. Only `open-history.ts` talks to it. */
class HistoryServer {
  readonly #port: MessagePort;
  readonly #start: WorkerStart;
  readonly #opened: Omit<OpenedFile, 'db'>;
  readonly #index: IndexLink;
  readonly #cache: PageCache;
  readonly #context: Omit<RunContext, 'nowMs' | 'startOfTodayMs'>;
  readonly #counts: SentCounts;
  readonly #idleWork: IdleWork;

  /** Opens the file. Throws if it cannot be used. */
  constructor(port: MessagePort, start: WorkerStart, { indexScript, indexAfterMs }: HistoryServerOptions) {
    const { path, nowMs, startOfTodayMs, revision } = start;
    this.#port = port;
    this.#start = start;
    const { db, ...opened } = openFile(path, nowMs, (preparing) => this.#send({ kind: 'preparing', preparing }));
    this.#opened = opened;
    const onDamage = (): void => noteDamage(path);
    this.#index = new IndexLink(db, {
      path,
      nowMs,
      script: indexScript,
      startAfterMs: indexAfterMs ?? usualIndexAfterMs,
      onDamage,
      onUnsearchable: (unsearchable) => this.#send({ kind: 'unsearchable', unsearchable }),
    });
    const counter = new JobCounter(db, revision);
    this.#counts = new SentCounts(db, counter, startOfTodayMs, onDamage);
    this.#cache = new PageCache(db);
    const bin = new Bin(db, path);
    this.#context = {
      db,
      index: this.#index,
      counter,
      cache: this.#cache,
      bin,
      stagedRows: new StagedRows(),
      onDamage,
      isInPlace: () => existsSync(path),
    };
    this.#idleWork = new IdleWork(db, bin, nowMs, onDamage);
  }

  /** Reports that the history is open, and answers from now on. */
  open(): void {
    const { db } = this.#context;
    this.#port.on('message', (message: ToWorker) => {
      if (message.kind === 'calls') this.#answer(message);
      else this.#close();
    });
    // What a former thread committed may not have been reported.
    if (this.#start.revision > 0) noteNewestBatches(db, maxListed);
    this.#send({ kind: 'opened', ...this.#opened, counted: this.#counts.first() });
    tryUnsearchableAgain(db);
    const unsearchable = readUnsearchable(db);
    if (unsearchable.count > 0) this.#send({ kind: 'unsearchable', unsearchable });
    this.#idleWork.plan(0, this.#start.nowMs);
  }

  #answer({ requests, nowMs, startOfTodayMs }: Extract<ToWorker, { kind: 'calls' }>): void {
    const replies = runCalls({ ...this.#context, nowMs, startOfTodayMs }, requests);
    const haveRowsChanged = !requests.every(isWithoutTransaction);
    const areCountsAskedFor = requests.some(({ name }) => name === 'counts' || name === 'batches');
    const canCountsDiffer = haveRowsChanged || areCountsAskedFor || !this.#counts.isOfDay(startOfTodayMs);
    this.#sendReplies(replies, canCountsDiffer ? this.#counts.changed(startOfTodayMs) : null);
    if (haveRowsChanged) this.#index.changed(nowMs);
    this.#idleWork.plan(afterWriteMs, nowMs);
  }

  #close(): void {
    const { db, bin } = this.#context;
    this.#idleWork.close();
    this.#cache.close();
    bin.close();
    void this.#index.close().then(() => {
      try {
        db.exec('PRAGMA main.wal_checkpoint(TRUNCATE)');
      } catch {
        // The disk is full. Everything is in the log, and the next start reads it there.
      }
      db.close();
      this.#send({ kind: 'closed' });
      this.#port.close();
    });
  }

  #send(message: FromWorker): void {
    this.#port.postMessage(message);
  }

  /** An answer that cannot be cloned (it is nested too deep) fails alone and never ends the thread. */
  #sendReplies(replies: Reply[], counted: Counted | null): void {
    try {
      this.#send({ kind: 'replies', replies, counted });
    } catch {
      const message = historyThreadText.notCarried;
      this.#send({
        kind: 'replies',
        counted,
        replies: replies.map((reply) =>
          isCarried(reply) ? reply : { id: reply.id, isOk: false, message, isStorageTrouble: false },
        ),
      });
    }
  }
}

type OpenedFile = IndexedDatabase & { heldBack: number };

function openFile(path: string, nowMs: number, onPreparing: (preparing: HistoryPreparation) => void): OpenedFile {
  const opened = openDatabase(path, nowMs, { onPreparing, isIndexWritten: false });
  return { ...opened, heldBack: holdBackIfCopied(opened.db, path) };
}

function isCarried(reply: Reply): boolean {
  try {
    structuredClone(reply);
    return true;
  } catch {
    return false;
  }
}
