import { parentPort, workerData } from 'node:worker_threads';
import { runBatch } from './batch.ts';
import { noteDamage, withSoundIndex } from './integrity.ts';
import { openDatabase } from './open.ts';
import { createOperations } from './operations.ts';
import type { FromWorker, ToWorker, WorkerStart } from './protocol.ts';
import { createSearchIndexer } from './search-index.ts';
import { storageErrorMessage } from './storage-error.ts';

/** The thread that owns the database. `store.ts` starts it and is the only one to talk to it. */
function serve(port: NonNullable<typeof parentPort>, { path, nowMs }: WorkerStart): void {
  const send = (message: FromWorker): void => port.postMessage(message);
  const { db, setAside } = openDatabase(path, nowMs, { onPreparing: (preparing) => send({ kind: 'preparing', preparing }) });
  const indexer = createSearchIndexer(db);
  const parts = { db, operations: createOperations(db, indexer), onDamage: () => noteDamage(path) };
  let lastNowMs = nowMs;
  let isIdleStepPlanned = false;
  let isClosed = false;

  /** Indexing goes on between messages: each step is short, and a waiting message comes first. */
  const planIdleStep = (): void => {
    if (isIdleStepPlanned) return;
    isIdleStepPlanned = true;
    setImmediate(() => {
      isIdleStepPlanned = false;
      if (isClosed) return;
      try {
        if (withSoundIndex(db, () => indexer.idleStep(lastNowMs))) planIdleStep();
      } catch {
        // What could not be indexed (a full disk) is still marked, and tried again after the next call.
      }
    });
  };

  port.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'calls':
        lastNowMs = message.nowMs;
        send({ kind: 'replies', replies: runBatch(parts, message.requests, message) });
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
  planIdleStep();
}

if (parentPort !== null) {
  try {
    serve(parentPort, workerData);
  } catch (error) {
    const refusal: FromWorker = { kind: 'refused', message: storageErrorMessage(error) };
    parentPort.postMessage(refusal, []);
  }
}
