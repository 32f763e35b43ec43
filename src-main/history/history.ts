import type { CallAnswers, CallArguments, CallName } from './operations.ts';
import type { LeftOutOfSearch, SetAside } from './records.ts';

/**
 * The saved past, the one writer of the database: every call that operations.ts lists. Each promise resolves after the
 * change is durable (WAL, synchronous=FULL) and rejects with a HistoryError whose message a person can read when the
 * disk refuses.
 */
export type History = { [N in CallName]: (...args: CallArguments[N]) => Promise<CallAnswers[N]> } & {
  close(): Promise<void>;
};

/** What happens to the history beside its calls. */
export type HistoryEvent =
  /** Another job's text could not be indexed, or one could again; at opening where there are any. */
  | { kind: 'left-out'; leftOut: LeftOutOfSearch }
  /** Its thread ended by itself. Calls under way were refused; later ones wait for the next one, if there is any. */
  | { kind: 'thread-ended'; detail: string; isStartedAgain: boolean }
  /** The thread that took its place found a file that cannot be used. */
  | { kind: 'set-aside'; setAside: SetAside };
