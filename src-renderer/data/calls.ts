import { notifyManager, QueryCache, QueryClient, skipToken, useQuery } from '@tanstack/react-query';
import type { Query, UseQueryOptions, UseQueryResult } from '@tanstack/react-query';
import type { CallInput, CallName, CallOutput } from '../../src-preload/contract.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { toast } from '../design/toast.tsx';

/**
 * Answers of the engine, kept by TanStack Query under the call's name and input. A component asks with `useCall`;
 * `stale-on.ts` says which event makes which answer stale. A failed answer is an `error` of kind `Failure`; the answer
 * before it stays.
 *
 * Not kept here: the job list (`jobs-store.ts`), which holds pages of up to a million rows and applies single jobs to
 * them; streams, which are read page by page as they grow; and the session, which events replace as a whole.
 */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.meta?.isFailureToast === true && 'message' in error) toast(error.message);
    },
  }),
  defaultOptions: {
    queries: {
      // The engine is on this computer: it answers without a network, and the same question gets the same answer.
      networkMode: 'always',
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // Comparing old and new answers value by value would walk service data recursively.
      structuralSharing: false,
    },
  },
});

/** How long the last read of each kept answer took, in milliseconds. */
const tookMs = new WeakMap<Query, number>();
/** Timers of the reads that `RereadPace` delays, by the hash of their query. */
const waiting = new Map<string, ReturnType<typeof setTimeout>>();
/** A read in progress may have begun before the change that made it stale. After this time it is checked again. */
const staleReadMs = 50;

type Key<N extends CallName> = readonly [N, CallInput<N>];

async function read<N extends CallName>(key: Key<N>): Promise<CallOutput<N>> {
  const startedMs = performance.now();
  const result = await call(...key);
  const query = queries.getQueryCache().find({ queryKey: key, exact: true });
  if (query !== undefined) tookMs.set(query, performance.now() - startedMs);
  if (!result.ok) throw result.failure;
  return result.value;
}

/** How an answer is kept, if not in the usual way. */
export interface CallOptions<T> {
  /**
   * Events report every change (`stale-on.ts`), so that another component that shows the answer does not read it again.
   */
  isKeptByEvents?: boolean;
  /**
   * What is shown until the answer is here (`isPlaceholderData`), made from the answer to the former input. If it makes
   * a new value, pass the same function each time.
   */
  placeholder?: UseQueryOptions<T, Failure>['placeholderData'];
  /** Shows a failure as a toast, where there is no other place for it. */
  isFailureToast?: boolean;
  /** Read again at this interval while a component shows it. */
  everyMs?: number;
  /** A failed read is repeated after this time. */
  againAfterFailureMs?: number;
  /** How long the answer is kept while no component shows it. Five minutes by default. */
  unusedMs?: number;
}

/** The query of a call, for `useQuery` and similar hooks. With input null no call is made. */
export function callQuery<N extends CallName>(
  name: N,
  input: CallInput<N> | null,
  options: CallOptions<CallOutput<N>> = {},
): UseQueryOptions<CallOutput<N>, Failure> {
  return {
    queryKey: [name, input],
    queryFn: input === null ? skipToken : () => read<N>([name, input]),
    staleTime: options.isKeptByEvents === true ? Infinity : 0,
    ...(options.placeholder !== undefined && { placeholderData: options.placeholder }),
    ...(options.unusedMs !== undefined && { gcTime: options.unusedMs }),
    meta: { isFailureToast: options.isFailureToast === true },
    refetchInterval: ({ state }) =>
      (state.status === 'error' ? options.againAfterFailureMs : undefined) ?? options.everyMs ?? false,
  };
}

/**
 * The answer to a call, read when the component mounts and whenever it becomes stale. With input null no call is made.
 * `data` is undefined until the first answer; `error` is why the last read failed, or null.
 */
export function useCall<N extends CallName>(
  name: N,
  input: CallInput<N> | null,
  options: CallOptions<CallOutput<N>> = {},
): UseQueryResult<CallOutput<N>, Failure> {
  return useQuery(callQuery(name, input, options), queries);
}

/**
 * Reads the answer to a call before a component asks for it, unless it is kept. Resolves when it is here, or could not
 * be read, which the component then shows.
 */
export async function readAhead<N extends CallName>(
  name: N,
  input: CallInput<N>,
  options: Pick<CallOptions<CallOutput<N>>, 'isKeptByEvents'>,
): Promise<void> {
  await queries.prefetchQuery<CallOutput<N>, Failure, CallOutput<N>, Key<N>>({
    queryKey: [name, input],
    queryFn: () => read<N>([name, input]),
    staleTime: options.isKeptByEvents === true ? Infinity : 0,
  });
}

/** The kept answer, for code outside a component. Undefined if there is none. Makes no call. */
export function keptAnswer<N extends CallName>(name: N, input: CallInput<N>): CallOutput<N> | undefined {
  return queries.getQueryData<CallOutput<N>>([name, input]);
}

/**
 * Changes the kept answers to inputs with the fields of `of`, or to all inputs if it is null. Does nothing if none is
 * kept. An answer that is being read is read again afterwards, because that read may have begun before the change.
 */
export function changeAnswers<N extends CallName>(
  name: N,
  of: Partial<CallInput<N>> | null,
  change: (before: CallOutput<N>) => CallOutput<N>,
): void {
  for (const query of keptOf(name, of)) {
    queries.setQueryData<CallOutput<N>>(query.queryKey, (before) => (before === undefined ? before : change(before)));
    if (query.state.fetchStatus !== 'idle' || query.state.data === undefined) readAgain(query, {});
  }
}

/** Calls `run` after what was changed in the answers so far is drawn: components learn of it a moment later. */
export function afterAnswersAreDrawn(run: () => void): void {
  notifyManager.schedule(run);
}

/** When a stale answer is read again. */
export interface RereadPace {
  /** Not more often than this. */
  everyMs?: number;
  /** Only after a pause of this many times the duration of the last read. */
  restPerWork?: number;
}

/**
 * Makes answers of a call stale: those to inputs with these `fields`, or all if they are null. An answer on screen is
 * read again as `pace` allows, the others when they are shown.
 */
export function makeStale<N extends CallName>(
  name: N,
  fields: Partial<CallInput<N>> | null,
  pace: RereadPace = {},
): void {
  for (const query of keptOf(name, fields)) readAgain(query, pace);
}

function keptOf<N extends CallName>(name: N, fields: Partial<CallInput<N>> | null): Query[] {
  return queries.getQueryCache().findAll({ queryKey: fields === null ? [name] : [name, fields] });
}

function readAgain(query: Query, pace: RereadPace): void {
  query.invalidate();
  if (waiting.has(query.queryHash) || !query.isActive()) return;
  const { dataUpdatedAt, errorUpdatedAt, fetchStatus } = query.state;
  const everyMs = Math.max(pace.everyMs ?? 0, (pace.restPerWork ?? 0) * (tookMs.get(query) ?? 0));
  const restMs =
    fetchStatus === 'idle'
      ? Math.max(dataUpdatedAt, errorUpdatedAt) + everyMs - Date.now()
      : Math.max(everyMs, staleReadMs);
  if (restMs <= 0) {
    void queries.refetchQueries({ queryKey: query.queryKey, exact: true });
    return;
  }
  const timer = setTimeout(() => {
    waiting.delete(query.queryHash);
    readAgain(query, {});
  }, restMs);
  waiting.set(query.queryHash, timer);
}
