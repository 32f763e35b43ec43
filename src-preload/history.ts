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
  /** For a text search: where it was found, by job key, with \u0001 and \u0002 around each match. */
  snippets: Record<string, string>;
}

/** Counts for the sidebar, of one connection (or all). */
export interface JobCounts {
  all: number;
  active: number;
  finishedToday: number;
  failedUnseen: number;
  failed: number;
  starred: number;
  /** Unseen failures by endpoint id. */
  failedUnseenByEndpoint: Record<string, number>;
  savedBytes: number;
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
