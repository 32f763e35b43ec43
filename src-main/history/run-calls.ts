import type { DatabaseSync } from 'node:sqlite';
import { atomically } from './file/row.ts';
import { isDamage, isStorageTrouble, storageErrorMessage } from './file/storage-error.ts';
import { readOnlyCalls } from './operations.ts';
import type { Moment, Operations } from './operations.ts';
import type { Answer, CallName, Refusal, Reply, Request } from './protocol.ts';

/** What a batch is done with. */
export interface BatchParts {
  db: DatabaseSync;
  operations: Operations;
  /** Told when a call met damage in the file. */
  onDamage: () => void;
}

/**
 * Does the calls in order and answers each. Those that write share one transaction, so that one flush to the disk
 * serves them all; a call that fails takes back only what it wrote itself. When the transaction as a whole cannot be
 * begun or kept, every call of the batch that writes is refused: none may be told of what is not on the disk. Those
 * that only read are answered all the same: a file that another program holds can be read.
 */
export function runBatch(parts: BatchParts, requests: readonly Request[], moment: Moment): Reply[] {
  const { db } = parts;
  if (requests.every((request) => readOnlyCalls.has(request.name)))
    return requests.map((request) => answer(parts, request, moment));
  try {
    return atomically(db, () =>
      requests.map((request) => {
        const reply = answer(parts, request, moment);
        // A full disk ends the whole transaction, with what earlier calls of the batch wrote.
        if (!db.isTransaction)
          throw new Error(reply.isOk ? 'The disk refused the change; nothing was saved.' : reply.message);
        return reply;
      }),
    );
  } catch (error) {
    return requests.map((request) =>
      readOnlyCalls.has(request.name)
        ? answer(parts, request, moment)
        : { ...refusal(parts, request.id, error), isStorageTrouble: true },
    );
  }
}

function answer(parts: BatchParts, request: Request, moment: Moment): Reply {
  try {
    if (readOnlyCalls.has(request.name)) return call(parts.operations, request, moment);
    return atomically(parts.db, () => call(parts.operations, request, moment));
  } catch (error) {
    return refusal(parts, request.id, error);
  }
}

function refusal(parts: BatchParts, id: number, error: unknown): Refusal {
  if (isDamage(error)) parts.onDamage();
  return { id, isOk: false, message: storageErrorMessage(error), isStorageTrouble: isStorageTrouble(error) };
}

function call<N extends CallName>(operations: Operations, request: Request<N>, moment: Moment): Answer<N> {
  const { id, name, args } = request;
  return { id, name, isOk: true, value: operations[name](moment, ...args) };
}
