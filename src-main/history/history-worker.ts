import { parentPort, workerData } from 'node:worker_threads';
import { noteDamage, withSoundIndex } from './file/integrity.ts';
import { openDatabase } from './file/open.ts';
import { isDamage, storageErrorMessage } from './file/storage-error.ts';
import type { FromWorker, Reply, ToWorker, WorkerStart } from './protocol.ts';
import type { JobCommit } from './records.ts';
import { runCalls } from './run-calls.ts';
import { SearchIndexer, readLeftOut } from './search/indexer.ts';

/** The thread that owns the database. `store.ts` starts it and is the only one to talk to it. */
function serve(port: NonNullable<typeof parentPort>, { path, nowMs }: WorkerStart): void {
  const send = (message: FromWorker): void => port.postMessage(message);
  const { db, setAside } = openDatabase(path, nowMs, {
    onPreparing: (preparing) => send({ kind: 'preparing', preparing }),
  });
  const onDamage = (): void => noteDamage(path);
  const indexer = new SearchIndexer(db, { onDamage, onLeftOut: (leftOut) => send({ kind: 'left-out', leftOut }) });
  const on = { db, indexer, stagedRows: new Map<string, JobCommit[]>(), onDamage };
  let lastNowMs = nowMs;
  let isIdleStepPlanned = false;
  let isClosed = false;

  /** An answer that cannot be carried over (it nests too deep to be copied) costs itself, never the thread. */
  const sendReplies = (replies: Reply[]): void => {
    try {
      send({ kind: 'replies', replies });
    } catch {
      const message = 'The answer of the history could not be carried over.';
      send({
        kind: 'replies',
        replies: replies.map((reply) =>
          isCarried(reply) ? reply : { id: reply.id, isOk: false, message, isStorageTrouble: false },
        ),
      });
    }
  };

  /** Indexing goes on between messages: each step is short, and a waiting message comes first. */
  const planIdleStep = (): void => {
    if (isIdleStepPlanned) return;
    isIdleStepPlanned = true;
    setImmediate(() => {
      isIdleStepPlanned = false;
      if (isClosed) return;
      try {
        if (withSoundIndex(db, () => indexer.idleStep(lastNowMs))) planIdleStep();
      } catch (error) {
        // What could not be indexed (a full disk) is still marked, and tried again after the next call.
        if (isDamage(error)) onDamage();
      }
    });
  };

  port.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'calls':
        lastNowMs = message.nowMs;
        sendReplies(
          runCalls({ ...on, nowMs: message.nowMs, startOfTodayMs: message.startOfTodayMs }, message.requests),
        );
        planIdleStep();
        break;
      case 'close':
        isClosed = true;
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        db.close();
        send({ kind: 'closed' });
        port.close();
        break;
    }
  });
  send({ kind: 'opened', setAside });
  const leftOut = readLeftOut(db);
  if (leftOut.count > 0) send({ kind: 'left-out', leftOut });
  planIdleStep();
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
