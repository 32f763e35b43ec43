import type { z } from 'zod';
import type { jobFilter, jobSort, jobView } from './history-schema.ts';
import { isLive, statusKind, type Job } from './job.ts';

export type JobView = z.infer<typeof jobView>;

/**
 * What the list shows: a view, narrowed by the filter bar. `text` is searched in titles, ids, inputs, outputs, chunks
 * and errors.
 */
export type JobFilter = z.infer<typeof jobFilter>;

/** The order of a list that is not newest first. Jobs without a value in that column come last, newest first. */
export type JobSort = z.infer<typeof jobSort>;

/** Bounds of a figure that a filter asks for; neither is within. */
export type Range = NonNullable<JobFilter['took']>;

export const emptyFilter: JobFilter = {
  view: 'all',
  connectionId: null,
  endpointId: null,
  statuses: [],
  tags: [],
  notTags: [],
  marks: [],
  labels: [],
  sinceMs: null,
  beforeMs: null,
  took: null,
  waited: null,
  cost: null,
  idStart: null,
  has: [],
  cause: null,
  sameInput: null,
  text: '',
  batchId: null,
};

/** True for a filter that asks for nothing beyond a view but finished-today, a connection, an endpoint and statuses. */
export function isOfFacets(filter: JobFilter): boolean {
  const { tags, notTags, marks, labels, has, sinceMs, beforeMs, took, waited, cost, idStart, text, batchId } = filter;
  const { cause, sameInput } = filter;
  return (
    [tags, notTags, marks, labels, has].every((asked) => asked.length === 0) &&
    [sinceMs, beforeMs, took, waited, cost, idStart, cause, sameInput, batchId].every((asked) => asked === null) &&
    text === '' &&
    filter.view !== 'finished-today'
  );
}

/** Whether a figure lies within the bounds; one that is not known lies in none. */
export function isWithin(value: number | null, { over, under }: Range): boolean {
  return value !== null && (over === null || value > over) && (under === null || value < under);
}

/** Matches are counted up to here: a list of more needs no exact figure. */
export const mostCounted = 2_000;

/** So many jobs can be selected together: each of them is held by the window. */
export const mostSelected = 20_000;

/** How many jobs match a filter. */
export type JobTotal = Pick<JobPage, 'total' | 'isTotalCut'>;

/** The keys of the jobs that match a filter. */
export interface JobKeys {
  /** Newest first, `mostSelected` at most. */
  keys: string[];
  /** There are more. */
  isCut: boolean;
}

/** Words of statuses that count as failed. */
export const failureWords: readonly string[] = ['failed', 'timed_out', 'refused'];

/** Whether a job whose status has this word counts as failed. */
export function isFailure(word: string): boolean {
  return failureWords.includes(word);
}

/** Whether a job belongs in a view; `word` is its status's. Of `finished-today` this knows not which day it was. */
export function isInView(
  { phase, isStarred, word }: Pick<Job, 'phase' | 'isStarred'> & { word: string },
  view: JobView,
): boolean {
  switch (view) {
    case 'all':
      return true;
    case 'active':
      return isLive({ phase });
    case 'finished-today':
      return phase === 'finished';
    case 'failed':
      return isFailure(word);
    case 'starred':
      return isStarred;
  }
}

/** One page, newest first. */
export interface JobPage {
  jobs: Job[];
  /** Pass as `beforeKey` for the next page; null at the end. In another order than newest first it is no key. */
  nextBeforeKey: string | null;
  /** How many match in all; `mostCounted` where they are more. */
  total: number;
  /** There are more than `total`. */
  isTotalCut: boolean;
  /** How many jobs there are without the filter. */
  allTotal: number;
  /** The counts of all jobs, as they were when the page was read. */
  counts: AllJobCounts;
  /** For a text search: where it was found, by job key, with \u0001 and \u0002 around each match. */
  snippets: Record<string, string>;
}

/** Active jobs by what they do. */
export interface ActiveCounts {
  running: number;
  queued: number;
  /** Their one request is in progress. */
  sending: number;
  /** They wait to be sent. */
  toSend: number;
  /** Over but for the rest of their stream. */
  over: number;
}

/** How many jobs there are of each kind, of one connection or of all. */
export interface JobCounts extends ActiveCounts {
  all: number;
  /** Those that run, are queued, wait to be sent, or are over but for their stream. */
  active: number;
  finishedToday: number;
  failedUnseen: number;
  failed: number;
  starred: number;
  /** By endpoint id; those without any such job are left out. */
  byEndpoint: Record<string, EndpointJobCounts>;
}

/** What an endpoint's row shows of our own jobs. */
export interface EndpointJobCounts extends ActiveCounts {
  failedUnseen: number;
}

/** The counts of all jobs, at one moment. */
export interface AllJobCounts {
  /** Higher than that of counts which were taken before. */
  revision: number;
  all: JobCounts;
  /** By connection id; those without a job are left out. */
  byConnection: Record<string, JobCounts>;
  /** Size of the history's file. */
  savedBytes: number;
}

export const noJobs: JobCounts = {
  all: 0,
  active: 0,
  running: 0,
  queued: 0,
  sending: 0,
  toSend: 0,
  over: 0,
  finishedToday: 0,
  failedUnseen: 0,
  failed: 0,
  starred: 0,
  byEndpoint: {},
};

/** The counts of one connection; of all where it is null. */
export function countsOf({ all, byConnection }: AllJobCounts, connectionId: string | null): JobCounts {
  return connectionId === null ? all : (byConnection[connectionId] ?? noJobs);
}

/** Learned run times of an endpoint, from saved jobs, for the execution bar. */
export interface RunTimes {
  endpointId: string;
  count: number;
  executionP50Ms: number | null;
  executionP95Ms: number | null;
  delayP95Ms: number | null;
}

/** Part of a body kept for a job. */
export interface BodyText {
  text: string;
  /** Whole length in UTF-8 bytes. */
  bytes: number;
  /** True when `text` holds only the beginning. */
  isCut: boolean;
}

/**
 * The word a job is filtered by after `status:`. An execution timeout counts as timed_out in either form (ruling 14);
 * a status the specification does not name is its own word (ruling 8).
 */
export function statusWordOf(job: Pick<Job, 'phase' | 'status' | 'reason'>): string {
  switch (job.phase) {
    case 'waiting':
    case 'submitting':
      return 'waiting';
    case 'outcome-unknown':
      return 'outcome_unknown';
    case 'refused':
      return 'refused';
    case 'gone':
      return 'gone';
    case 'orphaned':
      return 'orphaned';
    case 'active':
    case 'finished':
      return statusKind(job) === 'timeout' ? 'timed_out' : (job.status ?? 'unknown').toLowerCase();
  }
}
