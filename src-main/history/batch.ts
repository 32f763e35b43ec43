import type { DatabaseSync } from 'node:sqlite';
import { readOnlyCalls } from './operations.ts';
import type { Moment, Operations } from './operations.ts';
import type { Answer, CallName, Refusal, Reply, Request } from './protocol.ts';
import { atomically } from './row.ts';
import { storageErrorMessage } from './storage-error.ts';

/**
 * Does the calls in order and answers each. Those that write share one transaction, so that one flush to the disk
 * serves them all; a call that fails takes back only what it wrote itself. When the transaction as a whole cannot be
 * kept, every call of the batch is refused: none may be told of what is not on the disk.
 */
export function runBatch(db: DatabaseSync, operations: Operations, requests: readonly Request[], moment: Moment): Reply[] {
  if (requests.every((request) => readOnlyCalls.has(request.name))) return requests.map((request) => answer(operations, request, moment));
  try {
    return atomically(db, () => requests.map((request) => {
      const reply = attemptCall(db, operations, request, moment);
      if (!db.isTransaction) throw new Error(reply.isOk ? 'The disk refused the change; nothing was saved.' : reply.message);
      return reply;
    }));
  } catch (error) {
    const message = storageErrorMessage(error);
    return requests.map(({ id }): Refusal => ({ id, isOk: false, message }));
  }
}

function attemptCall(db: DatabaseSync, operations: Operations, request: Request, moment: Moment): Reply {
  if (readOnlyCalls.has(request.name)) return answer(operations, request, moment);
  try {
    return atomically(db, () => call(operations, request, moment));
  } catch (error) {
    return { id: request.id, isOk: false, message: storageErrorMessage(error) };
  }
}

function answer(operations: Operations, request: Request, moment: Moment): Reply {
  try {
    return call(operations, request, moment);
  } catch (error) {
    return { id: request.id, isOk: false, message: storageErrorMessage(error) };
  }
}

function call<N extends CallName>(operations: Operations, request: Request<N>, moment: Moment): Answer<N> {
  const { id, name, args } = request;
  return { id, name, isOk: true, value: operations[name](moment, ...args) };
}
