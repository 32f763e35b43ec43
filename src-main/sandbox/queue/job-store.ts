import type { JobRecord } from './job-record.ts';

/** The counters of the health record that outlive their jobs. */
export interface KeptCounts {
  completed: number;
  failed: number;
  retried: number;
}

/** What is kept along with every change: the endpoint's counters after it, and the service's time. */
export interface Moment extends KeptCounts {
  nowMs: number;
}

/**
 * Where an endpoint's jobs are kept over restarts; see state/. Each change is written when its call returns,
 * and the queue calls before anyone is answered. All may throw an Error with a sentence for the user.
 */
export interface JobStore {
  /** The jobs as they were, in queue order, running ones included; to be called once. */
  load(): { jobs: JobRecord[]; counts: KeptCounts };
  /** A new job. Sets its `number`. */
  submitted(record: JobRecord, moment: Moment): void;
  /** A change of status, times or worker that leaves no result: a start, a return to the queue, another ttl. */
  moved(record: JobRecord, moment: Moment): void;
  /** A job has ended: its result is kept, its submission only where it can be retried. */
  finished(record: JobRecord, moment: Moment): void;
  /** A retry: the result is dropped, and the job goes to the end of the queue. Sets its `number`. */
  requeued(record: JobRecord, moment: Moment): void;
  removed(records: readonly JobRecord[], moment: Moment): void;
  /** The first `readCount` chunks of a job that has ended count as read. */
  read(record: JobRecord, readCount: number): void;
  /** The queue closes: the latest time. */
  closed(moment: Moment): void;
}
