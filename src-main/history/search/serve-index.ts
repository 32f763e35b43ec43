import type { MessagePort } from 'node:worker_threads';
import type { UnsearchableJobs } from '../records.ts';
import { isStorageTrouble } from '../file/integrity.ts';
import type { IndexedRun } from '../file/unindexed-jobs.ts';
import { isSearchDamage, openIndexToWrite } from '../file/index-file.ts';
import { allPages, freePages } from '../file/free-space.ts';
import { HistoryLog } from '../file/log.ts';
import { systemClock, type Clock } from '../../time/clock.ts';
import { Alarm } from '../../time/timers.ts';
import { Erasure } from './erasure.ts';
import { SearchIndexer } from './indexer.ts';

/** What the thread of the index is started with. */
export interface IndexThreadStart {
  kind: 'index';
  /** Of the history. */
  path: string;
  nowMs: number;
  /** A counter of how often it caught up. The history's thread sleeps on it while a search waits. */
  caughtUp: Int32Array<SharedArrayBuffer>;
}

/** To the thread of the index. `nowMs` is the clock at sending. */
export type ToIndexThread =
  /** Something was committed. */
  | { kind: 'changed'; nowMs: number }
  /** A search waits until what was committed can be found. */
  | { kind: 'catch-up'; nowMs: number }
  | { kind: 'close' };

/** From the thread of the index. */
export type FromIndexThread =
  /** On disk now. */
  | { kind: 'indexed'; runs: readonly IndexedRun[] }
  | { kind: 'unsearchable'; unsearchable: UnsearchableJobs }
  /** Damage was found in what is saved of a job. */
  | { kind: 'damage-met' }
  /** The index itself is damaged. */
  | { kind: 'index-damaged' };

/** After a change it waits this long for the next ones, to index them together, because each transaction is a flush. */
const afterChangeMs = 40;
/** Free space beyond this share of the file is returned to the disk, this many pages at a time. */
const freeShare = 0.25;
const pagesGivenBack = 2_000;

/** The only writer of the search index, in a thread of its own, so that saving never waits for indexing. */
export function serveIndex(
  port: MessagePort,
  { path, nowMs, caughtUp }: IndexThreadStart,
  clock: Clock = systemClock,
): void {
  const send = (message: FromIndexThread): void => port.postMessage(message, []);
  const wake = (): void => {
    Atomics.add(caughtUp, 0, 1);
    Atomics.notify(caughtUp, 0);
  };
  // Whatever ends the thread, no search waits for it.
  process.on('exit', wake);
  const db = openIndexToWrite(path);
  const log = new HistoryLog(path);
  const erasure = new Erasure(db);
  const indexer = new SearchIndexer(db, {
    onRemoved: () => erasure.note(),
    onDamage: () => send({ kind: 'damage-met' }),
    onUnsearchable: (unsearchable) => send({ kind: 'unsearchable', unsearchable }),
    onIndexed: (runs) => send({ kind: 'indexed', runs }),
  });
  let lastNowMs = nowMs;
  const retries = createIndexRetries(() => clock.now());

  /** Returns the result of `work`, or `otherwise` if it failed. */
  const guarded = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      if (isSearchDamage(error)) send({ kind: 'index-damaged' });
      else if (!isStorageTrouble(error)) throw error;
      return otherwise;
    }
  };
  /** One step of what is done when everything is indexed. */
  const tidy = (): void => {
    reclaimSpace(db);
    const startMs = clock.now();
    const dueAtMs = erasure.dueAtMs(startMs);
    if (dueAtMs === null) return;
    const afterMs = dueAtMs > startMs ? dueAtMs - startMs : erasure.step(startMs);
    if (afterMs !== null) plan(afterMs);
  };
  const step = new Alarm(clock, () => {
    const next = guarded(() => (indexer.idleStep(lastNowMs) ? 'more' : 'done'), 'failed');
    log.fold({ isQuiet: next === 'done' });
    if (next === 'failed') {
      const waitMs = retries.failed();
      if (waitMs !== null) plan(waitMs);
      return;
    }
    retries.worked();
    if (next === 'more') plan(0);
    else guarded(tidy, undefined);
  });
  const plan = (afterMs: number): void => step.setAtLatest(clock.now() + afterMs);
  const planAfterChange = (): void => plan(Math.max(afterChangeMs, retries.beforeChange()));

  port.on('message', (message: ToIndexThread) => {
    switch (message.kind) {
      case 'changed':
        lastNowMs = message.nowMs;
        planAfterChange();
        break;
      case 'catch-up':
        lastNowMs = message.nowMs;
        guarded(() => indexer.beforeSearch(lastNowMs), undefined);
        wake();
        planAfterChange();
        break;
      case 'close':
        step.cancel();
        log.close();
        db.close();
        port.close();
        break;
    }
  });
  plan(0);
}

/** Returns the space of deleted words to the disk, if there is much of it. */
function reclaimSpace(db: ReturnType<typeof openIndexToWrite>): void {
  if (freePages(db, 'words') > Math.max(pagesGivenBack, allPages(db, 'words') * freeShare))
    db.exec(`PRAGMA words.incremental_vacuum(${pagesGivenBack})`);
}

/** The wait after the first failure, and the shortest one after any. */
const firstWaitMs = 5_000;
const maxWaitMs = 300_000;

/** When the index is tried again after it could not be written: a full disk, or a file that another program holds. */
interface IndexRetries {
  /**
   * It could not be written. Returns how long to wait, twice as long each time up to five minutes. Null after that:
   * only a change or a search tries again, so that a disk that stays full costs nothing while nothing happens.
   */
  failed(): number | null;
  worked(): void;
  /** How long to wait before a change is indexed: until five seconds after a failure, which most would only repeat. */
  beforeChange(): number;
}

/** `now` and all waits are in milliseconds. */
function createIndexRetries(now: () => number): IndexRetries {
  let waitMs = firstWaitMs;
  let failedAtMs = -Infinity;
  return {
    failed() {
      failedAtMs = now();
      if (waitMs > maxWaitMs) return null;
      const wait = waitMs;
      waitMs = wait === maxWaitMs ? Infinity : Math.min(wait * 2, maxWaitMs);
      return wait;
    },
    worked() {
      waitMs = firstWaitMs;
      failedAtMs = -Infinity;
    },
    beforeChange: () => Math.max(0, failedAtMs + firstWaitMs - now()),
  };
}
