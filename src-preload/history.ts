import type { z } from 'zod';
import type { jobView, jobFilter } from './history-schema.ts';
import { statusLook, type Job } from './job.ts';

export type JobView = z.infer<typeof jobView>;

/**
 * What the list shows: a view, narrowed by the filter bar. `text` is searched in titles, ids, inputs, outputs, chunks
 * and errors.
 */
export type JobFilter = z.infer<typeof jobFilter>;

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
  text: '',
  batchId: null,
};

/** One page, newest first. */
export interface JobPage {
  jobs: Job[];
  /** Pass as `beforeKey` for the next page; null at the end. */
  nextBeforeKey: string | null;
  /** How many match in all. */
  total: number;
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
  /** Their one request is under way. */
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
      return statusLook(job) === 'timeout' ? 'timed_out' : (job.status ?? 'unknown').toLowerCase();
  }
}
