import { QueryCache, QueryClient, skipToken, useQuery } from '@tanstack/react-query';
import type { Query, UseQueryOptions, UseQueryResult } from '@tanstack/react-query';
import type { CallInput, CallName, CallOutput } from '../../src-preload/contract.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { toast } from '../design/toast.tsx';

/**
 * What the engine answered, kept by TanStack Query under the call's name and input. A window asks it with `useCall`;
 * `stale-on.ts` says which event makes which answer stale. An answer that failed is an `error` of kind `Failure`, and
 * what was answered before it stays.
 *
 * Not here: the job list (`jobs-store.ts`), which holds windows of a million rows and applies single jobs to them,
 * streams, which are read page after page as they grow, and the session, which events replace as a whole.
 */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.meta?.isFailureToast === true && 'message' in error) toast(error.message);
    },
  }),
  defaultOptions: {
    queries: {
      // The engine is on this computer: it is there without a network, and asking it again brings the same answer.
      networkMode: 'always',
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // Comparing what was answered value by value would walk service data recursively.
      structuralSharing: false,
    },
  },
});

/** How long reads of each kept answer took, in milliseconds. */
const tookMs = new WeakMap<Query, number>();
/** Reads that wait for their time, by the hash of their query. */
const waiting = new Map<string, ReturnType<typeof setTimeout>>();
/** A read under way may have begun before what made it stale: after this time it is seen whether it has ended. */
const underWayMs = 50;

type Key<N extends CallName> = readonly [N, CallInput<N>];

async function read<N extends CallName>(key: Key<N>): Promise<CallOutput<N>> {
  const startedMs = performance.now();
  const result = await call(...key);
  const query = queries.getQueryCache().find({ queryKey: key, exact: true });
  if (query !== undefined) tookMs.set(query, performance.now() - startedMs);
  if (!result.ok) throw result.failure;
  return result.value;
}

/** How an answer is kept, where it is not as usual. */
export interface CallOptions<T> {
  /** Events say all that changes (`stale-on.ts`): it is not read again when one more part of the window shows it. */
  isKeptByEvents?: boolean;
  /**
   * What stands for the answer until it is here (`isPlaceholderData`), of what was answered to the former input.
   * A function that makes a new value is given as the same function each time.
   */
  placeholder?: UseQueryOptions<T, Failure>['placeholderData'];
  /** For what has no place of its own to say it: a failure is a toast. */
  isFailureToast?: boolean;
  /** Read again this often while it is on view. */
  everyMs?: number;
  /** A read that failed is made again after this time. */
  againAfterFailureMs?: number;
  /** How long the answer is kept while nothing shows it; five minutes unless given. */
  unusedMs?: number;
}

/** The query of a call, for `useQuery` and its like. Input null asks nothing. */
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
 * The answer to a call, read when the component comes and whenever it is made stale. Input null asks nothing. `data` is
 * undefined until the first answer; `error` is why the last read failed, null after one that worked.
 */
export function useCall<N extends CallName>(
  name: N,
  input: CallInput<N> | null,
  options: CallOptions<CallOutput<N>> = {},
): UseQueryResult<CallOutput<N>, Failure> {
  return useQuery(callQuery(name, input, options), queries);
}

/** The answer that is kept, for what is not a component; undefined where there is none. Asks nothing. */
export function answerOf<N extends CallName>(name: N, input: CallInput<N>): CallOutput<N> | undefined {
  return queries.getQueryData<CallOutput<N>>([name, input]);
}

/**
 * Changes kept answers to inputs that have the fields of `of`, all where it is null. Nothing happens where none is
 * kept. One that is being read is read again after it, for it may have been read before the change.
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

/** When what is stale is read again. */
export interface Pace {
  /** At most once in this time. */
  everyMs?: number;
  /** After a rest of so many times what the last read took. */
  restPerWork?: number;
}

/**
 * Makes answers of a call stale: those to inputs that have the fields of `of`, all where it is null. What a
 * component shows is read again, by its pace; the rest when it is shown.
 */
export function makeStale<N extends CallName>(name: N, of: Partial<CallInput<N>> | null, pace: Pace = {}): void {
  for (const query of keptOf(name, of)) readAgain(query, pace);
}

function keptOf<N extends CallName>(name: N, of: Partial<CallInput<N>> | null): Query[] {
  return queries.getQueryCache().findAll({ queryKey: of === null ? [name] : [name, of] });
}

function readAgain(query: Query, pace: Pace): void {
  query.invalidate();
  if (waiting.has(query.queryHash) || !query.isActive()) return;
  const { dataUpdatedAt, errorUpdatedAt, fetchStatus } = query.state;
  const everyMs = Math.max(pace.everyMs ?? 0, (pace.restPerWork ?? 0) * (tookMs.get(query) ?? 0));
  const restMs =
    fetchStatus === 'idle'
      ? Math.max(dataUpdatedAt, errorUpdatedAt) + everyMs - Date.now()
      : Math.max(everyMs, underWayMs);
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
