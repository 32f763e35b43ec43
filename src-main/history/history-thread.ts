import { existsSync } from 'node:fs';
import { Bin, BinRefused } from './bin/bin.ts';
import { holdBackIfCopied } from './backup/incoming.ts';
import { sortInIdleTime } from './failures/failures.ts';
import { atomically, unflushed, withoutWaiting } from './file/row.ts';
import { isDamage, isStorageTrouble, storageErrorMessage, noteDamage } from './file/integrity.ts';
import type { CallContext } from './operations/call-context.ts';
import { operations, type CallAnswers, type CallArguments, type CallName } from './operations.ts';
import {
  callForms,
  type Answer,
  type Counted,
  type ErrorReply,
  type Reply,
  type Request,
  type FromWorker,
  type ToWorker,
  type WorkerStart,
} from './protocol.ts';
import type { HistoryPreparation } from '../../src-preload/app.ts';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { PageCache } from './file/cache.ts';
import { openDatabase, type OpenedDatabase } from './file/open.ts';
import { changedBatches, noteNewestBatches } from './jobs/batch-counts.ts';
import { maxListed, readBatchesById } from './jobs/batches.ts';
import { JobCounter } from './jobs/counts.ts';
import { findImages } from './jobs/images.ts';
import { hashFormerInputs } from './jobs/input-hash.ts';
import { StagedRows } from './jobs/staged-rows.ts';
import { IndexLink } from './search/index-link.ts';
import { serveIndex, type IndexThreadStart } from './search/index-thread.ts';
import { readUnsearchable, tryUnsearchableAgain } from './search/unsearchable-jobs.ts';
import { historyRefusalText, historyThreadText } from '../messages/history.ts';

/** What calls need. */
export interface CallRunner extends CallContext {
  /** Called if a call found damage in the file. */
  onDamage: () => void;
  /** Whether the file is still where it was opened. */
  isInPlace: () => boolean;
}

/**
 * Runs the calls in order and answers each. Those that write share one transaction, so that one flush to the disk is
 * enough for all; a call that fails undoes only its own changes. If the transaction as a whole cannot begin or be
 * committed, every writing call of the batch is refused, because nothing may be confirmed that is not on disk. Calls
 * that only read are answered anyway: a locked file can be read.
 *
 * A file that was deleted or moved away can still be written on most systems, because it is open. What is saved there
 * is gone with the process. So it is refused as by a full disk, and saved when the file is back.
 */
export function runCalls(on: CallRunner, requests: readonly Request[]): Reply[] {
  return groupsOf(requests).flatMap((group) => runGroup(on, group));
}

/** The index's thread sees only committed changes, so a search is never part of a transaction. */
function groupsOf(requests: readonly Request[]): Request[][] {
  const groups: Request[][] = [];
  let wasSearch = true;
  for (const request of requests) {
    const isSearch = isSearching(request);
    const group = groups.at(-1);
    if (isSearch || wasSearch || group === undefined) groups.push([request]);
    else group.push(request);
    wasSearch = isSearch;
  }
  return groups;
}

function isSearching({ name, args }: Request): boolean {
  return isWithoutTransaction({ name }) && args.some(isTextSearch);
}

/** Whether an argument is a filter with words, or contains one. */
function isTextSearch(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if ('text' in value && 'view' in value) return value.text !== '';
  return 'source' in value && typeof value.source === 'object' && value.source !== null && 'filter' in value.source
    ? isTextSearch(value.source.filter)
    : false;
}

function runGroup(on: CallRunner, requests: readonly Request[]): Reply[] {
  if (requests.every(isWithoutTransaction)) return requests.map((request) => answer(on, request));
  try {
    if (!on.isInPlace()) throw new Error(historyRefusalText.notInPlace);
    const replies = atomically(on.db, () => {
      on.index.settle();
      const answered = requests.map((request) => {
        const reply = answer(on, request);
        // A full disk ends the whole transaction, including the changes of earlier calls of the batch.
        if (!on.db.isTransaction) throw new Error(reply.isOk ? historyRefusalText.diskRefused : reply.message);
        return reply;
      });
      on.bin.keep();
      return answered;
    });
    on.bin.settle();
    return replies;
  } catch (error) {
    on.bin.undo();
    // Only the calls that need the bin are refused.
    if (error instanceof BinRefused) return on.bin.refusing(error, () => runGroup(on, requests));
    return requests.map((request) =>
      isWithoutTransaction(request)
        ? answer(on, request)
        : { ...refusal(on, request.id, error), isStorageTrouble: true },
    );
  }
}

function isWithoutTransaction({ name }: Pick<Request, 'name'>): boolean {
  return callForms[name] === 'without-transaction';
}

function answer(on: CallRunner, request: Request): Reply {
  try {
    return isWithoutTransaction(request) ? call(on, request) : atomically(on.db, () => call(on, request));
  } catch (error) {
    return refusal(on, request.id, error);
  }
}

function refusal({ onDamage }: CallRunner, id: number, error: unknown): ErrorReply {
  if (isDamage(error)) onDamage();
  return { id, isOk: false, message: storageErrorMessage(error), isStorageTrouble: isStorageTrouble(error) };
}

/** The table with its types only, so that a name's arguments and answer belong together. */
const table: { [N in CallName]: (on: CallContext, ...args: CallArguments[N]) => CallAnswers[N] } = operations;

function call<N extends CallName>(on: CallContext, { id, name, args }: Request<N>): Answer<N> {
  return { id, name, isOk: true, value: table[name](on, ...args) };
}

/** After a change, idle work waits this long for the next one. */
const afterWriteMs = 8;

function openFile(
  path: string,
  nowMs: number,
  onPreparing: (preparing: HistoryPreparation) => void,
): OpenedDatabase & { heldBack: number } {
  const opened = openDatabase(path, nowMs, { onPreparing, isIndexWritten: false });
  return { ...opened, heldBack: holdBackIfCopied(opened.db, path) };
}

/** An answer that cannot be cloned (it is nested too deep) fails alone and never ends the thread. */
function sendReplies(send: (message: FromWorker) => void, replies: Reply[], counted: Counted | null): void {
  try {
    send({ kind: 'replies', replies, counted });
  } catch {
    const message = historyThreadText.notCarried;
    send({
      kind: 'replies',
      counted,
      replies: replies.map((reply) =>
        isCarried(reply) ? reply : { id: reply.id, isOk: false, message, isStorageTrouble: false },
      ),
    });
  }
}

/** The app's start comes first. A search does not wait for this. */
const usualIndexAfterMs = 250;

/** The thread that owns the database. Only `open-history.ts` starts it and talks to it. */
function serve(port: MessagePort, start: WorkerStart, indexAfterMs: number): void {
  const { path, nowMs, startOfTodayMs, revision } = start;
  const send = (message: FromWorker): void => port.postMessage(message);
  const { db, ...opened } = openFile(path, nowMs, (preparing) => send({ kind: 'preparing', preparing }));
  const onDamage = (): void => noteDamage(path);
  const index = new IndexLink(db, {
    path,
    nowMs,
    script: new URL(import.meta.url),
    startAfterMs: indexAfterMs,
    onDamage,
    onUnsearchable: (unsearchable) => send({ kind: 'unsearchable', unsearchable }),
  });
  const counter = new JobCounter(db, revision);
  let counted = counter.read(startOfTodayMs);
  const cache = new PageCache(db);
  const isInPlace = (): boolean => existsSync(path);
  const on = { db, index, counter, cache, bin: new Bin(db, path), stagedRows: new StagedRows(), onDamage, isInPlace };
  let countedDayMs = startOfTodayMs;
  let idleStep: ReturnType<typeof setTimeout> | null = null;
  let isClosed = false;
  let latestMs = nowMs;

  /** The batches that changed since they were last sent. What cannot be read now is read with the next counts. */
  const readChanged = (): Pick<Counted, 'batches' | 'unreadBatches'> => {
    const { batches, unread } = changedBatches(
      db,
      (id) => readBatchesById(db, [id]),
      (error) => isDamage(error) && onDamage(),
    );
    return { batches, unreadBatches: unread };
  };

  /**
   * The counts and batches, if the calls changed them, asked for them, or a day began. Null if they are as sent before.
   */
  const countedIfChanged = ({ requests, startOfTodayMs: todayMs }: ToWorker & { kind: 'calls' }): Counted | null => {
    const canDiffer = requests.some(
      (request) => !isWithoutTransaction(request) || request.name === 'counts' || request.name === 'batches',
    );
    if (!canDiffer && todayMs === countedDayMs) return null;
    try {
      const counts = counter.read(todayMs);
      countedDayMs = todayMs;
      if (counts === counted) return null;
      const changed = readChanged();
      counted = counts;
      return { counts, ...changed };
    } catch {
      // The calls are done and answered. What cannot be read now is counted after the next ones.
      return null;
    }
  };

  const takeIdleStep = (): void => {
    idleStep = null;
    if (isClosed) return;
    try {
      const areMoreImages = withoutWaiting(db, () => unflushed(db, () => atomically(db, () => findImages(db))));
      const isMoreToSort = sortInIdleTime(db);
      const areMoreInputs = withoutWaiting(db, () => unflushed(db, () => atomically(db, () => hashFormerInputs(db))));
      if ([areMoreImages, isMoreToSort, areMoreInputs, on.bin.compare(latestMs)].includes(true)) planIdleStep(0);
    } catch (error) {
      // What could not be done (a full disk) is still marked, and tried again after the next call.
      if (isDamage(error)) onDamage();
    }
  };

  /** Continues between messages: each step is short, and a waiting message comes first. */
  const planIdleStep = (afterMs: number): void => {
    if (idleStep !== null) clearTimeout(idleStep);
    idleStep = setTimeout(takeIdleStep, afterMs);
  };

  port.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'calls':
        latestMs = message.nowMs;
        sendReplies(
          send,
          runCalls({ ...on, nowMs: message.nowMs, startOfTodayMs: message.startOfTodayMs }, message.requests),
          countedIfChanged(message),
        );
        if (!message.requests.every(isWithoutTransaction)) index.changed(message.nowMs);
        planIdleStep(afterWriteMs);
        break;
      case 'close':
        isClosed = true;
        if (idleStep !== null) clearTimeout(idleStep);
        cache.close();
        on.bin.close();
        void index.close().then(() => {
          db.exec('PRAGMA main.wal_checkpoint(TRUNCATE)');
          db.close();
          send({ kind: 'closed' });
          port.close();
        });
        break;
    }
  });
  // What a former thread committed may not have been reported.
  if (revision > 0) noteNewestBatches(db, maxListed);
  send({ kind: 'opened', ...opened, counted: { counts: counted, ...readChanged() } });
  tryUnsearchableAgain(db);
  const unsearchable = readUnsearchable(db);
  if (unsearchable.count > 0) send({ kind: 'unsearchable', unsearchable });
  planIdleStep(0);
}

function isCarried(reply: Reply): boolean {
  try {
    structuredClone(reply);
    return true;
  } catch {
    return false;
  }
}

function isIndexThread(start: WorkerStart | IndexThreadStart): start is IndexThreadStart {
  return 'kind' in start;
}

/**
 * Serves one history until it is closed, or refuses it; then `port` is closed. `indexAfterMs`: how long after it was
 * opened the index's thread starts if nothing is searched before.
 */
export function serveHistory(port: MessagePort, start: WorkerStart, indexAfterMs = usualIndexAfterMs): void {
  try {
    serve(port, start, indexAfterMs);
  } catch (error) {
    const refused: FromWorker = { kind: 'refused', message: storageErrorMessage(error) };
    port.postMessage(refused, []);
    port.close();
  }
}

function start(port: MessagePort, data: WorkerStart | IndexThreadStart): void {
  if (isIndexThread(data)) serveIndex(port, data);
  else serveHistory(port, data);
}

// A thread that was started without data serves one history after the other, for tests.
if (parentPort !== null && workerData !== null) start(parentPort, workerData);
