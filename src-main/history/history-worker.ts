import { sortInIdleTime } from './failures/failures.ts';
import { atomically } from './file/row.ts';
import { isDamage, isStorageTrouble, storageErrorMessage, noteDamage, withSoundIndex } from './file/integrity.ts';
import { operations, type CallAnswers, type CallArguments, type CallContext, type CallName } from './operations.ts';
import {
  callKinds,
  type Answer,
  type Refusal,
  type Reply,
  type Request,
  type FromWorker,
  type ToWorker,
  type WorkerStart,
} from './protocol.ts';
import { parentPort, workerData } from 'node:worker_threads';
import type { AllJobCounts } from '../../src-preload/history.ts';
import { openDatabase } from './file/open.ts';
import { JobCounter } from './jobs/counts.ts';
import type { JobCommit } from './records.ts';
import { SearchIndexer, readLeftOut } from './search/indexer.ts';

/** What calls are done with. */
export interface CallRunner extends CallContext {
  /** Called when a call met damage in the file. */
  onDamage: () => void;
}

/**
 * Does the calls in order and answers each. Those that write share one transaction, so that one flush to the disk
 * serves them all; a call that fails takes back only what it wrote itself. When the transaction as a whole cannot be
 * begun or kept, every call of the batch that writes is refused: nothing may be answered that is not on the disk. Those
 * that only read are answered all the same: a file that another program holds can be read.
 */
export function runCalls(on: CallRunner, requests: readonly Request[]): Reply[] {
  if (requests.every(isReading)) return requests.map((request) => answer(on, request));
  try {
    return atomically(on.db, () =>
      requests.map((request) => {
        const reply = answer(on, request);
        // A full disk ends the whole transaction, with what earlier calls of the batch wrote.
        if (!on.db.isTransaction)
          throw new Error(reply.isOk ? 'The disk refused the change; nothing was saved.' : reply.message);
        return reply;
      }),
    );
  } catch (error) {
    return requests.map((request) =>
      isReading(request) ? answer(on, request) : { ...refusal(on, request.id, error), isStorageTrouble: true },
    );
  }
}

function isReading({ name }: Request): boolean {
  return callKinds[name] === 'read';
}

function answer(on: CallRunner, request: Request): Reply {
  try {
    return isReading(request) ? call(on, request) : atomically(on.db, () => call(on, request));
  } catch (error) {
    return refusal(on, request.id, error);
  }
}

function refusal({ onDamage }: CallRunner, id: number, error: unknown): Refusal {
  if (isDamage(error)) onDamage();
  return { id, isOk: false, message: storageErrorMessage(error), isStorageTrouble: isStorageTrouble(error) };
}

/** The table by its types alone, so that a name's arguments and answer belong together. */
const table: { [N in CallName]: (on: CallContext, ...args: CallArguments[N]) => CallAnswers[N] } = operations;

function call<N extends CallName>(on: CallContext, { id, name, args }: Request<N>): Answer<N> {
  return { id, name, isOk: true, value: table[name](on, ...args) };
}

/** After a change the next one is waited for so long before anything is indexed. */
const afterWriteMs = 8;
/** While one change follows the other, indexing has this share of the time. */
const shareWhileWriting = 1 / 8;

/** The thread that owns the database. `store.ts` starts it and is the only one to talk to it. */
function serve(port: NonNullable<typeof parentPort>, { path, nowMs, startOfTodayMs, revision }: WorkerStart): void {
  const send = (message: FromWorker): void => port.postMessage(message);
  const { db, setAside } = openDatabase(path, nowMs, {
    onPreparing: (preparing) => send({ kind: 'preparing', preparing }),
  });
  const onDamage = (): void => noteDamage(path);
  const indexer = new SearchIndexer(db, { onDamage, onLeftOut: (leftOut) => send({ kind: 'left-out', leftOut }) });
  const counter = new JobCounter(db, revision);
  let counted = counter.read(startOfTodayMs);
  const on = { db, indexer, counter, stagedRows: new Map<string, JobCommit[]>(), onDamage };
  let countedDayMs = startOfTodayMs;
  let lastNowMs = nowMs;
  let idleStep: ReturnType<typeof setTimeout> | null = null;
  let steppedAtMs = 0;
  let stepMs = 0;
  let isClosed = false;

  /** An answer that cannot be carried over (it nests too deep to be copied) costs itself, never the thread. */
  const sendReplies = (replies: Reply[], counts: AllJobCounts | null): void => {
    try {
      send({ kind: 'replies', replies, counts });
    } catch {
      const message = "Could not pass on the history's answer.";
      send({
        kind: 'replies',
        counts,
        replies: replies.map((reply) =>
          isCarried(reply) ? reply : { id: reply.id, isOk: false, message, isStorageTrouble: false },
        ),
      });
    }
  };

  /** The counts where the calls changed them, or a day began; null where they are as sent before. */
  const countsIfChanged = ({
    requests,
    startOfTodayMs: todayMs,
  }: ToWorker & { kind: 'calls' }): AllJobCounts | null => {
    if (requests.every(isReading) && todayMs === countedDayMs) return null;
    try {
      const counts = counter.read(todayMs);
      countedDayMs = todayMs;
      if (counts === counted) return null;
      counted = counts;
      return counts;
    } catch {
      // The calls are done, and said; what cannot be read now is counted after the next ones.
      return null;
    }
  };

  const takeIdleStep = (): void => {
    idleStep = null;
    if (isClosed) return;
    const startedAtMs = performance.now();
    let isMoreDue = false;
    try {
      const isMoreToIndex = withSoundIndex(db, () => indexer.idleStep(lastNowMs));
      const isMoreToSort = sortInIdleTime(db);
      isMoreDue = isMoreToIndex || isMoreToSort;
    } catch (error) {
      // What could not be indexed (a full disk) is still marked, and tried again after the next call.
      if (isDamage(error)) onDamage();
    }
    steppedAtMs = performance.now();
    stepMs = steppedAtMs - startedAtMs;
    if (isMoreDue) planIdleStep(0);
  };

  /**
   * Indexing goes on between messages: each step is short, and a waiting message comes first. `afterMs`: whoever writes
   * one change after the other is let go on for so long, but not for ever.
   */
  const planIdleStep = (afterMs: number): void => {
    const isShareTaken = performance.now() - steppedAtMs < stepMs / shareWhileWriting;
    if (idleStep !== null) clearTimeout(idleStep);
    idleStep = setTimeout(takeIdleStep, isShareTaken ? afterMs : 0);
  };

  port.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'calls':
        lastNowMs = message.nowMs;
        sendReplies(
          runCalls({ ...on, nowMs: message.nowMs, startOfTodayMs: message.startOfTodayMs }, message.requests),
          countsIfChanged(message),
        );
        planIdleStep(message.requests.every(isReading) ? 0 : afterWriteMs);
        break;
      case 'close':
        isClosed = true;
        if (idleStep !== null) clearTimeout(idleStep);
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        db.close();
        send({ kind: 'closed' });
        port.close();
        break;
    }
  });
  send({ kind: 'opened', setAside, counts: counted });
  const leftOut = readLeftOut(db);
  if (leftOut.count > 0) send({ kind: 'left-out', leftOut });
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

if (parentPort !== null) {
  try {
    serve(parentPort, workerData);
  } catch (error) {
    const refusal: FromWorker = { kind: 'refused', message: storageErrorMessage(error) };
    parentPort.postMessage(refusal, []);
  }
}
