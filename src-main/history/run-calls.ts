import { BinRefused } from './bin/bin.ts';
import { isDamage, isStorageTrouble, storageErrorMessage } from './file/integrity.ts';
import { atomically } from './file/row.ts';
import type { CallContext } from './operations/call-context.ts';
import { operations, type CallAnswers, type CallArguments, type CallName } from './operations.ts';
import { transactionModes, type Answer, type ErrorReply, type Reply, type Request } from './protocol.ts';
import { historyRefusalText } from '../messages/history.ts';

/** What calls need, and what is called if they find damage. */
export interface RunContext extends CallContext {
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
export function runCalls(context: RunContext, requests: readonly Request[]): Reply[] {
  return groupsOf(requests).flatMap((group) => runGroup(context, group));
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

function runGroup(context: RunContext, requests: readonly Request[]): Reply[] {
  if (requests.every(isWithoutTransaction)) return requests.map((request) => answer(context, request));
  try {
    if (!context.isInPlace()) throw new Error(historyRefusalText.notInPlace);
    const replies = atomically(context.db, () => {
      context.index.settle();
      const answered = requests.map((request) => {
        const reply = answer(context, request);
        // A full disk ends the whole transaction, including the changes of earlier calls of the batch.
        if (!context.db.isTransaction) throw new Error(reply.isOk ? historyRefusalText.diskRefused : reply.message);
        return reply;
      });
      context.bin.commit();
      return answered;
    });
    context.bin.historyCommitted();
    return replies;
  } catch (error) {
    context.bin.historyRolledBack();
    // Only the calls that need the bin are refused.
    if (error instanceof BinRefused) return context.bin.refusing(error, () => runGroup(context, requests));
    return requests.map((request) =>
      isWithoutTransaction(request)
        ? answer(context, request)
        : { ...refusal(context, request.id, error), isStorageTrouble: true },
    );
  }
}

/** Whether the call changes no rows of the database. */
export function isWithoutTransaction({ name }: Pick<Request, 'name'>): boolean {
  return transactionModes[name] === 'without-transaction';
}

function answer(context: RunContext, request: Request): Reply {
  try {
    return isWithoutTransaction(request)
      ? call(context, request)
      : atomically(context.db, () => call(context, request));
  } catch (error) {
    return refusal(context, request.id, error);
  }
}

function refusal({ onDamage }: RunContext, id: number, error: unknown): ErrorReply {
  if (isDamage(error)) onDamage();
  return { id, isOk: false, message: storageErrorMessage(error), isStorageTrouble: isStorageTrouble(error) };
}

/** The table with its types only, so that a name's arguments and answer belong together. */
const table: { [N in CallName]: (context: CallContext, ...args: CallArguments[N]) => CallAnswers[N] } = operations;

function call<N extends CallName>(context: CallContext, { id, name, args }: Request<N>): Answer<N> {
  return { id, name, isOk: true, value: table[name](context, ...args) };
}
