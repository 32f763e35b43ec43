import { atomically } from './file/row.ts';
import { isDamage, isStorageTrouble, storageErrorMessage } from './file/storage-error.ts';
import { operations } from './operations.ts';
import type { CallAnswers, CallArguments, CallContext, CallName } from './operations.ts';
import { callKinds } from './protocol.ts';
import type { Answer, Refusal, Reply, Request } from './protocol.ts';

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
