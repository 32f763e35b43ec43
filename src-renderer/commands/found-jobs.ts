import { useMemo, useState } from 'react';
import { emptyFilter, type JobFilter } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import { useCall } from '../data/calls.ts';
import { anyConnection, type FilterQuery } from '../data/parse-filter.ts';
import { useDeletedJobs } from '../data/pending-deletions.ts';
import { useCurrentConnection, useSession } from '../data/session-store.ts';
import { namedJobId } from '../follow/job-ids.ts';
import { wholeWordsFirst } from './match.ts';

const jobsShown = 8;
/** How many jobs with the whole words of the query are read, to find those that have them in the title. */
const exactRead = 24;

/** How many jobs there are, and the query of the list that shows all of them. */
export interface MoreJobs {
  total: number;
  isTotalCut: boolean;
  query: FilterQuery;
}

interface FoundJobs {
  jobs: readonly Job[];
  /** Null if `jobs` are all of them. */
  more: MoreJobs | null;
  /** The query of the list that also has the jobs of all other connections. Null if there are none. */
  others: FilterQuery | null;
  /** Why the search failed. */
  problem: string | null;
  /** The answer to what is entered now is not here yet. */
  isSearching: boolean;
}

const nothing: FoundJobs = { jobs: [], more: null, others: null, problem: null, isSearching: false };

/**
 * The few jobs of a connection that the engine finds for the query, in titles, ids and bodies, without those that are
 * being deleted. Those with its whole words come first, because the newest of "Item 5" may all be "Item 5…". The
 * index is on this computer, so the search starts with the key press, and while it runs only the last query waits.
 */
export function useFoundJobs(query: string, connectionId: string | null): FoundJobs {
  const typed = query.trim();
  const [text, setText] = useState(typed);
  const pending = useDeletedJobs();
  const current = useCurrentConnection()?.id;
  const filter = text === '' ? null : filterOf(text, connectionId);
  const found = useCall('job:list', pageOf(filter, jobsShown), { placeholder: (former) => former });
  const isExact = filter !== null && filter.idStart === null && !text.includes('"');
  const exact = useCall('job:list', pageOf(isExact ? { ...filter, text: `"${text}"` } : null, exactRead), {
    placeholder: (former) => former,
  });
  if (typed !== text && !found.isFetching && !exact.isFetching) setText(typed);
  const { data, error, isPending, isPlaceholderData } = found;
  const exactJobs = isExact ? exact.data?.jobs : undefined;
  const jobs = useMemo(() => {
    const byKey = new Map([...(exactJobs ?? []), ...(data?.jobs ?? [])].map((job) => [job.key, job]));
    const there = [...byKey.values()].filter(({ key }) => !pending.has(key));
    return wholeWordsFirst(there, text).slice(0, jobsShown);
  }, [exactJobs, data, pending, text]);
  const { total = 0, isTotalCut = false } = data ?? {};
  const isOfList = connectionId === current;
  const hasOthers = useSession(({ connections }) => connections.some(({ id }) => id !== connectionId));
  const others = useMemo(() => (hasOthers ? listQuery(text, false) : null), [hasOthers, text]);
  const more = useMemo(
    () => (total <= jobs.length ? null : { total, isTotalCut, query: listQuery(text, isOfList) }),
    [total, isTotalCut, jobs.length, text, isOfList],
  );
  if (typed === '') return nothing;
  const isExactAwaited = isExact && (exact.isPending || exact.isPlaceholderData);
  const isSearching = typed !== text || isPending || isPlaceholderData || isExactAwaited;
  if (error !== null) return { ...nothing, problem: error.message, isSearching };
  return { jobs, more, others, problem: null, isSearching };
}

function filterOf(text: string, connectionId: string | null): JobFilter {
  const idStart = namedJobId(text);
  return idStart === null
    ? { ...emptyFilter, connectionId, text }
    : { ...emptyFilter, connectionId, idStart: idStart.slice(0, 200) };
}

function pageOf(filter: JobFilter | null, limit: number) {
  return filter === null ? null : { filter, beforeKey: null, limit };
}

/** The same search in the list. That of a connection which the list does not show is among all of them. */
function listQuery(text: string, isOfList: boolean): FilterQuery {
  const idStart = namedJobId(text);
  return {
    tokens: [
      ...(isOfList ? [] : [anyConnection]),
      ...(idStart === null ? [] : [{ field: 'id' as const, value: idStart }]),
    ],
    text: idStart === null ? text : '',
  };
}
