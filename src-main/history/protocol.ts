import type { History, LeftOutOfSearch, Preparing, SetAside } from './history.ts';

/** The calls that cross to the database's thread: the History's own, but for closing. */
export type CallName = Exclude<keyof History, 'close'>;
export type CallArguments = { [N in CallName]: Parameters<History[N]> };
export type CallAnswers = { [N in CallName]: Awaited<ReturnType<History[N]>> };

/** One call, with the number its answer comes back under. */
export interface Request<N extends CallName = CallName> {
  id: number;
  name: N;
  args: CallArguments[N];
}

/** The answer to one call. The name comes back with it, so that the asking side can see that it is its own. */
export interface Answer<N extends CallName = CallName> {
  id: number;
  name: N;
  isOk: true;
  value: CallAnswers[N];
}

export type Reply = Answer | Refusal;

/** A call that could not be done, in words a person can read. */
export interface Refusal {
  id: number;
  isOk: false;
  message: string;
  /** True when nothing else could be done in its place: the database as a whole refused. */
  isStorageTrouble: boolean;
}

/**
 * To the thread: calls gathered in the order they were made. `nowMs` is the clock at sending; the thread has none of
 * its own.
 */
export type ToWorker =
  | { kind: 'calls'; requests: Request[]; nowMs: number; startOfTodayMs: number }
  | { kind: 'close' };

/**
 * From the thread. `opened` or `refused` comes once, and before it at most one `preparing`; replies come in the order
 * of the calls; `left-out` comes at any time after opening.
 */
export type FromWorker =
  | { kind: 'preparing'; preparing: Preparing }
  | { kind: 'opened'; setAside: SetAside | null }
  | { kind: 'refused'; message: string }
  | { kind: 'replies'; replies: Reply[] }
  | { kind: 'left-out'; leftOut: LeftOutOfSearch }
  | { kind: 'closed' };

/** What the thread is started with. */
export interface WorkerStart {
  path: string;
  nowMs: number;
}
