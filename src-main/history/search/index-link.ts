import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { threadEnv } from '../../async/thread-env.ts';
import { atomically, unflushed, withoutWaiting } from '../file/row.ts';
import type { UnsearchableJobs } from '../records.ts';
import { areMoreDirty, settleIndexed, type IndexedRun } from '../file/unindexed-jobs.ts';
import { attachIndex, indexPathOf, removeIndex } from '../file/index-file.ts';
import type { FromIndexThread, IndexThreadStart, ToIndexThread } from './serve-index.ts';
import { jobsBeforeSearch } from './indexer.ts';

/**
 * The longest time that a search waits for what was committed before it: usually some milliseconds, except for a thread
 * that is starting on a busy machine. It does not wait while many jobs are indexed, or for a thread that ended.
 */
const maxWaitMs = 10_000;
/** How often, and after how long, an ended thread is started again and a damaged index created again. */
const maxTimes = 5;
const againMs = 1_000;

export interface IndexLinkOptions {
  /** Of the history. */
  path: string;
  nowMs: number;
  /** The thread's script, which serves the index if it is started with an IndexThreadStart. */
  script: URL;
  /** After how long it is started, if nothing is searched before. */
  startAfterMs: number;
  onUnsearchable: (unsearchable: UnsearchableJobs) => void;
  /** Called if damage was found in what is saved of a job. */
  onDamage: () => void;
}

/**
 * The history's side of the search index: it reads it, reports changes, and removes indexed jobs from the list of what
 * must be indexed.
 */
export class IndexLink {
  readonly #db: DatabaseSync;
  readonly #options: IndexLinkOptions;
  readonly #caughtUp = new Int32Array(new SharedArrayBuffer(4));
  #worker: Worker | null = null;
  /** Set while its start is planned. */
  #starting: ReturnType<typeof setTimeout> | null = null;
  #nowMs: number;
  /** Indexed, and not removed from the list yet. */
  #indexed: IndexedRun[] = [];
  #settling: ReturnType<typeof setTimeout> | null = null;
  #times = 0;
  #isMadeAnew = false;
  #closing: (() => void) | null = null;

  /** `db` is the history, with the index attached read-only. */
  constructor(db: DatabaseSync, options: IndexLinkOptions) {
    this.#db = db;
    this.#options = options;
    this.#nowMs = options.nowMs;
    this.#planStart(options.startAfterMs);
  }

  /** Something was committed. */
  changed(nowMs: number): void {
    this.#nowMs = nowMs;
    this.#send({ kind: 'changed', nowMs });
  }

  /** Waits until what was committed can be found, if that is soon. */
  beforeSearch(nowMs: number): void {
    this.#nowMs = nowMs;
    if (!areMoreDirty(this.#db, 0)) return;
    if (areMoreDirty(this.#db, jobsBeforeSearch)) {
      // It may have given up on a disk that was full.
      this.changed(nowMs);
      return;
    }
    if (this.#starting !== null) this.#start();
    if (this.#worker === null) return;
    const before = Atomics.load(this.#caughtUp, 0);
    this.#send({ kind: 'catch-up', nowMs });
    Atomics.wait(this.#caughtUp, 0, before, maxWaitMs);
  }

  /** Removes what is indexed now from the list. In a transaction that is open anyway it costs no flush. */
  settle(): void {
    if (this.#settling !== null) clearTimeout(this.#settling);
    this.#settling = null;
    if (this.#indexed.length === 0) return;
    const runs = this.#indexed;
    atomically(this.#db, () => settleIndexed(this.#db, runs));
    this.#indexed = [];
  }

  /** The index is damaged. It is created again, and every job is indexed again. */
  damaged(): void {
    if (this.#isMadeAnew || this.#closing !== null) return;
    this.#isMadeAnew = true;
    if (this.#worker === null) this.#ended();
    else void this.#worker.terminate();
  }

  /** Resolves when the index's thread has ended. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#closing = resolve;
      if (this.#settling !== null) clearTimeout(this.#settling);
      this.#cancelStart();
      if (this.#worker === null) resolve();
      else this.#send({ kind: 'close' });
    });
  }

  #send(message: ToIndexThread): void {
    this.#worker?.postMessage(message, []);
  }

  #planStart(afterMs: number): void {
    this.#cancelStart();
    this.#starting = setTimeout(() => this.#start(), afterMs);
  }

  #cancelStart(): void {
    if (this.#starting !== null) clearTimeout(this.#starting);
    this.#starting = null;
  }

  #start(): void {
    this.#cancelStart();
    const { path, script, onUnsearchable, onDamage } = this.#options;
    const start: IndexThreadStart = { kind: 'index', path, nowMs: this.#nowMs, caughtUp: this.#caughtUp };
    const worker = new Worker(script, { workerData: start, name: 'search-index', env: threadEnv() });
    this.#worker = worker;
    worker.on('message', (message: FromIndexThread) => {
      if (this.#worker !== worker) return;
      switch (message.kind) {
        case 'indexed':
          this.#indexed.push(...message.runs);
          this.#settling ??= setTimeout(() => this.#settleIdly(), 0);
          break;
        case 'unsearchable':
          onUnsearchable(message.unsearchable);
          break;
        case 'damage-met':
          onDamage();
          break;
        case 'index-damaged':
          this.damaged();
          break;
      }
    });
    // Its error does not matter, because it is started again.
    worker.on('error', () => {});
    worker.on('exit', () => this.#ended());
  }

  #settleIdly(): void {
    try {
      withoutWaiting(this.#db, () => unflushed(this.#db, () => this.settle()));
    } catch {
      // Another program locked the file, or the disk is full. It is tried again with the next change.
    }
  }

  #ended(): void {
    this.#worker = null;
    if (this.#closing !== null) {
      this.#closing();
      return;
    }
    this.#times += 1;
    if (this.#times > maxTimes) return;
    if (this.#isMadeAnew) this.#makeAnew();
    this.#planStart(againMs * (this.#times - 1));
  }

  #makeAnew(): void {
    this.#isMadeAnew = false;
    this.#indexed = [];
    const { path } = this.#options;
    this.#db.exec('DETACH words');
    removeIndex(indexPathOf(path));
    attachIndex(this.#db, path, { isWritten: false, nowMs: this.#nowMs });
  }
}
