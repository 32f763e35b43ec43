import type { CallAnswers, CallArguments, CallName } from './operations.ts';
import type { Counted } from './protocol.ts';
import type { UnsearchableJobs, SetAside } from './records.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';

/**
 * The saved past, the only writer of the database: every call in operations.ts. Each promise resolves after the change
 * is durable (WAL, synchronous=FULL), and rejects with a HistoryError with a message for the user if the disk refuses.
 */
export type History = { [N in CallName]: (...args: CallArguments[N]) => Promise<CallAnswers[N]> } & {
  close(): Promise<void>;
};

/** What happens to the history outside of calls. */
export type HistoryEvent =
  /** How many jobs there are, and changed batches: at opening, and before the answers to calls that changed them. */
  | ({ kind: 'counted' } & Counted)
  /** Another job's text could not be indexed, or one could again. At opening, if there are any. */
  | { kind: 'unsearchable'; unsearchable: UnsearchableJobs }
  /**
   * Its thread ended unexpectedly. Calls in progress were refused; later ones wait for the next thread, if there is
   * one.
   */
  | { kind: 'thread-ended'; detail: string; isStartedAgain: boolean }
  /** The file is a copy that another program made. This many of its jobs are not sent as they would have been. */
  | { kind: 'held-back'; count: number }
  /** At opening: this many jobs were saved once, and are not in the file now. */
  | { kind: 'jobs-lost'; count: number }
  /** Folders in the place of the search index were renamed. `paths`: where they are now. */
  | { kind: 'folders-aside'; paths: readonly string[] }
  /** The thread that replaced it found a file that cannot be used. */
  | { kind: 'set-aside'; setAside: SetAside };

/**
 * Why a call of the History failed, with a message for the user.
 * - `change`: only this call cannot be done.
 * - `storage`: nothing can be read or written now (locked, full, no thread). Nothing of it was saved.
 * - `lost`: the history's thread ended before it answered. It may have been saved or not.
 */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
  readonly reason: 'change' | 'storage' | 'lost';

  constructor(message: string, reason: 'change' | 'storage' | 'lost') {
    super(message);
    this.reason = reason;
  }
}

/** True if no other call would work now, so that there is no point in trying each of several. */
export function isOfStorage(error: unknown): boolean {
  return error instanceof HistoryError && error.reason !== 'change';
}

/** True if it is not known whether the call was done. */
export function isLost(error: unknown): boolean {
  return error instanceof HistoryError && error.reason === 'lost';
}

/** The history's answer as a `Result`: a disk that refuses is a `storage` failure, never thrown across the bridge. */
export async function fromHistory<T>(answer: Promise<T>): Promise<Result<T>> {
  try {
    return ok(await answer);
  } catch (thrown) {
    const detail = errorText(thrown);
    return failed({ kind: 'storage', message: detail, detail });
  }
}

/** As `fromHistory`. Null means that there is no such thing. */
export async function foundInHistory<T>(answer: Promise<T | null>, missing: string): Promise<Result<T>> {
  const result = await fromHistory(answer);
  if (!result.ok) return result;
  return result.value === null ? failed({ kind: 'absent', message: missing }) : ok(result.value);
}
