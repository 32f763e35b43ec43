import type { Job } from './job.ts';

/**
 * How many days a deleted job stays in the bin before it is deleted for good. A month, because a job is mostly missed
 * when the next report is due.
 */
export const binDays = 30;

/** The most jobs of a page of the bin, and of a call that restores them or deletes them for good. */
export const maxBinned = 500;

/** A job in the bin. */
export interface BinnedJob {
  job: Job;
  deletedAtMs: number;
}

/** Where a page of the bin begins: after the job with this number in the bin, which was deleted then. */
export interface BinPlace {
  deletedAtMs: number;
  id: number;
}

/** How much the bin holds. */
export interface BinUse {
  jobs: number;
  /** Its file, in bytes. */
  bytes: number;
  /** Where a bin is that could not be read and was set aside. Null if there was none since Jobdeck started. */
  asidePath: string | null;
}

/** Some jobs of the bin, the last deleted first. */
export interface BinPage extends BinUse {
  rows: BinnedJob[];
  /** Where the next page begins. Null at the end. */
  next: BinPlace | null;
}

/** The result of restoring jobs from the bin. */
export interface Restored {
  /** Keys of the jobs that are in the history again, as they are there. */
  keys: string[];
  /** How many were in the bin no longer. */
  missing: number;
}
