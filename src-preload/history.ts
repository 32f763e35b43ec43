import type { z } from 'zod';
import type { jobFilter, jobSort, jobView } from './history-schema.ts';
import { isKnownStatus, isLive, isTerminalStatus, statusKind, type Job, type JobStatus } from './job.ts';

export type JobView = z.infer<typeof jobView>;

/**
 * What the list shows: a view and the filters on it. `text` is searched for in titles, ids, inputs, outputs, chunks and
 * errors.
 */
export type JobFilter = z.infer<typeof jobFilter>;

/** The order of a list that is not newest first. Jobs without a value in that column come last, newest first. */
export type JobSort = z.infer<typeof jobSort>;

/** The bounds of a figure in a filter. The bounds themselves do not match. */
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

/** True for a filter that has only a view (other than finished-today), a connection, an endpoint and statuses. */
export function isOfFacets(filter: JobFilter): boolean {
  const { view, connectionId: _connectionId, endpointId: _endpointId, statuses: _statuses, ...rest } = filter;
  return view !== 'finished-today' && Object.values(rest).every(isEmptyCondition);
}

/** Whether the value of a filter's field lets every job through. */
export function isEmptyCondition(value: JobFilter[keyof JobFilter]): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Whether a figure is within the bounds. An unknown figure is not. */
export function isWithin(value: number | null, { over, under }: Range): boolean {
  return value !== null && (over === null || value > over) && (under === null || value < under);
}

/** Matches are counted up to this. A longer list needs no exact figure. */
export const maxCounted = 2_000;

/** The most jobs that can be selected, because the window keeps all of them in memory. */
export const maxSelected = 20_000;

/** How many jobs match a filter. */
export type JobTotal = Pick<JobPage, 'total' | 'isTotalCut'>;

/** The keys of the jobs that match a filter. */
export interface JobKeys {
  /** Newest first, at most `maxSelected`. */
  keys: string[];
  /** There are more. */
  isCut: boolean;
}

/** The statuses that count as failed. */
export const failureStatuses: readonly string[] = ['failed', 'timed_out', 'refused'];

/** Whether a status counts as failed. */
export function isFailure(word: string): boolean {
  return failureStatuses.includes(word);
}

/** Whether a job with the status `word` is in a view. For `finished-today` the day must be checked separately. */
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

/** An input of an endpoint's jobs, with its newest run. */
export interface EarlierInput {
  job: Job;
  /** How many jobs have it, counted up to 1,000. */
  runs: number;
}

/** One page, newest first. */
export interface JobPage {
  jobs: Job[];
  /** The `beforeKey` of the next page, or null at the end. In an order other than newest first it is not a key. */
  nextBeforeKey: string | null;
  /** How many jobs match, but at most `maxCounted`. */
  total: number;
  /** There are more than `total`. */
  isTotalCut: boolean;
  /** How many jobs there are without the filter. */
  allTotal: number;
  /** The counts of all jobs, as they were when the page was read. */
  counts: AllJobCounts;
  /** For a text search: the places found, by job key, with \u0001 and \u0002 around each match. */
  snippets: Record<string, string>;
}

/** Active jobs, counted by what they are doing. */
export interface ActiveCounts {
  running: number;
  queued: number;
  /** Their request is in progress. */
  sending: number;
  /** They wait to be sent. */
  toSend: number;
  /** The service gives them a status that the specification does not name (ruling 8). */
  unknown: number;
  /** Over, except for the rest of their stream. */
  over: number;
}

/** How many jobs there are of each kind, of one connection or of all. */
export interface JobCounts extends ActiveCounts {
  all: number;
  /** All active ones: running, queued, to be sent, or over except for their stream. */
  active: number;
  finishedToday: number;
  failedUnseen: number;
  failed: number;
  starred: number;
  /** By endpoint id. Endpoints without such jobs are left out. */
  byEndpoint: Record<string, EndpointJobCounts>;
}

/** The counts of our own jobs in an endpoint's row. */
export interface EndpointJobCounts extends ActiveCounts {
  failedUnseen: number;
}

/** The counts of all jobs at one moment. */
export interface AllJobCounts {
  /** Rises with every count, so that older counts can be recognised. */
  revision: number;
  all: JobCounts;
  /** By connection id. Connections without jobs are left out. */
  byConnection: Record<string, JobCounts>;
  /** The size of the history's file. */
  savedBytes: number;
}

export const noJobs: JobCounts = {
  all: 0,
  active: 0,
  running: 0,
  queued: 0,
  sending: 0,
  toSend: 0,
  unknown: 0,
  over: 0,
  finishedToday: 0,
  failedUnseen: 0,
  failed: 0,
  starred: 0,
  byEndpoint: {},
};

/** The counts of one connection, or of all if it is null. */
export function countsOf({ all, byConnection }: AllJobCounts, connectionId: string | null): JobCounts {
  return connectionId === null ? all : (byConnection[connectionId] ?? noJobs);
}

/** How many jobs a view has, without any other filter. */
export function countOfView(counts: JobCounts, view: JobView): number {
  switch (view) {
    case 'all':
      return counts.all;
    case 'active':
      return counts.active;
    case 'finished-today':
      return counts.finishedToday;
    case 'failed':
      return counts.failed;
    case 'starred':
      return counts.starred;
  }
}

/** The learned run times of an endpoint, from saved jobs, for the execution bar. */
export interface RunTimes {
  endpointId: string;
  count: number;
  executionP50Ms: number | null;
  executionP95Ms: number | null;
  delayP95Ms: number | null;
}

/** A part of a body that is saved for a job. */
export interface BodyText {
  text: string;
  /** The length of the whole body in UTF-8 bytes. */
  bytes: number;
  /** True if `text` is only the beginning. */
  isCut: boolean;
}

/**
 * The value of `status:` that finds a job. An execution timeout counts as timed_out in either form (ruling 14); a
 * status that the specification does not name is its own value (ruling 8).
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
      return statusKind(job) === 'timeout' ? 'timed_out' : serviceWordOf(job.status);
  }
}

/** A status that differs from a known one by its case alone is not that one, nor is its word. */
function serviceWordOf(status: JobStatus | null): string {
  const word = (status ?? 'unknown').toLowerCase();
  return status !== null && !isKnownStatus(status) && isKnownStatus(word.toUpperCase()) ? 'unknown' : word;
}

/**
 * What a job is counted as while it is active, by its phase and its `statusWordOf`; null for one that is not. The same
 * in the counts of the history, in the list's order and in its heads.
 */
export function activityOf({ phase, word }: Pick<Job, 'phase'> & { word: string }): keyof ActiveCounts | null {
  if (!isLive({ phase })) return null;
  if (phase !== 'active') return phase === 'submitting' ? 'sending' : 'toSend';
  if (word === 'in_queue') return 'queued';
  if (word === 'in_progress') return 'running';
  return isTerminalStatus(word.toUpperCase()) ? 'over' : 'unknown';
}

/** A tag and how many jobs have it. If it is more than `maxCounted`, one more than that. */
export interface TagInUse {
  tag: string;
  jobs: number;
}
