import type { MessagePort } from 'node:worker_threads';
import type { LeftOutOfSearch } from '../records.ts';
import { number, statement } from '../file/row.ts';
import { isStorageTrouble } from '../file/integrity.ts';
import type { IndexedRun } from '../file/dirty.ts';
import { isSearchDamage, openIndexToWrite } from '../file/index-file.ts';
import { HistoryLog } from '../file/log.ts';
import { SearchIndexer } from './indexer.ts';

/** What the thread of the index is started with. */
export interface IndexThreadStart {
  kind: 'index';
  /** Of the history. */
  path: string;
  nowMs: number;
  /** One number: how many times it was caught up. The history's thread sleeps on it while a search waits. */
  caughtUp: Int32Array<SharedArrayBuffer>;
}

/** To the thread of the index. `nowMs` is the clock at sending. */
export type ToIndexThread =
  /** Something was committed. */
  | { kind: 'changed'; nowMs: number }
  /** A search waits until what was committed is findable. */
  | { kind: 'catch-up'; nowMs: number }
  | { kind: 'close' };

/** From the thread of the index. */
export type FromIndexThread =
  /** On the disk by now. */
  | { kind: 'indexed'; runs: readonly IndexedRun[] }
  | { kind: 'left-out'; leftOut: LeftOutOfSearch }
  /** Damage was met in what a job holds. */
  | { kind: 'damage-met' }
  /** The index itself is damaged. */
  | { kind: 'index-damaged' };

/** After a change the next ones are waited for so long, to be indexed with it: each transaction is a flush. */
const afterChangeMs = 40;
/** What could not be done (a full disk) is tried again. */
const againMs = 5_000;
/** Free room beyond this share of the file is handed back to the disk, so many pages at a time. */
const freeShare = 0.25;
const pagesGivenBack = 2_000;

/** The one writer of the search index, in a thread of its own: nothing that is saved waits for its words. */
export function serveIndex(port: MessagePort, { path, nowMs, caughtUp }: IndexThreadStart): void {
  const send = (message: FromIndexThread): void => port.postMessage(message, []);
  const wake = (): void => {
    Atomics.add(caughtUp, 0, 1);
    Atomics.notify(caughtUp, 0);
  };
  // Whatever ends the thread, no search waits for it.
  process.on('exit', wake);
  const db = openIndexToWrite(path);
  const log = new HistoryLog(path);
  const indexer = new SearchIndexer(db, {
    onDamage: () => send({ kind: 'damage-met' }),
    onLeftOut: (leftOut) => send({ kind: 'left-out', leftOut }),
    onIndexed: (runs) => send({ kind: 'indexed', runs }),
  });
  let lastNowMs = nowMs;
  let step: ReturnType<typeof setTimeout> | null = null;

  /** Answers what `work` does; where it could not be done, `otherwise`. */
  const guarded = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      if (isSearchDamage(error)) send({ kind: 'index-damaged' });
      else if (!isStorageTrouble(error)) throw error;
      return otherwise;
    }
  };
  const plan = (afterMs: number): void => {
    step ??= setTimeout(takeStep, afterMs);
  };
  const takeStep = (): void => {
    step = null;
    const next = guarded(() => (indexer.idleStep(lastNowMs) ? 'more' : 'done'), 'failed');
    log.fold();
    if (next === 'more') plan(0);
    else if (next === 'failed') plan(againMs);
    else guarded(() => giveBack(db), undefined);
  };

  port.on('message', (message: ToIndexThread) => {
    switch (message.kind) {
      case 'changed':
        lastNowMs = message.nowMs;
        plan(afterChangeMs);
        break;
      case 'catch-up':
        lastNowMs = message.nowMs;
        guarded(() => indexer.beforeSearch(lastNowMs), undefined);
        wake();
        plan(afterChangeMs);
        break;
      case 'close':
        if (step !== null) clearTimeout(step);
        log.close();
        db.close();
        port.close();
        break;
    }
  });
  plan(0);
}

/** Hands back room that deleted words left, where there is much of it. */
function giveBack(db: ReturnType<typeof openIndexToWrite>): void {
  const pages = pragma(db, 'page_count');
  if (pragma(db, 'freelist_count') > Math.max(pagesGivenBack, pages * freeShare))
    db.exec(`PRAGMA words.incremental_vacuum(${pagesGivenBack})`);
}

function pragma(db: ReturnType<typeof openIndexToWrite>, name: 'page_count' | 'freelist_count'): number {
  const row = statement(db, `PRAGMA words.${name}`).get();
  return row === undefined ? 0 : number(row, name);
}
