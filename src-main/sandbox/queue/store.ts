import type { JobRecord } from './job-record.ts';

/** The counters of the health record that outlive their jobs. */
export interface SavedCounts {
  completed: number;
  failed: number;
  retried: number;
}

/** What is saved with every change: the endpoint's counters after it, and the service's time. */
export interface Moment extends SavedCounts {
  nowMs: number;
}

/** A new job that the disk refuses. The message is a sentence for the client. */
export class NotSaved extends Error {}

/**
 * Where an endpoint's jobs are kept over restarts; see state/. Each change is written when its call returns, and the
 * queue calls it before a client is answered. If the disk refuses, a new job is refused; changes of the others are kept
 * in memory until they can be written, because they happen anyway.
 */
export interface JobStore {
  /** The saved jobs in queue order, including running ones. Call it once. Throws if they cannot be read. */
  load(): { jobs: JobRecord[]; counts: SavedCounts };
  /** A new job. Sets its `number`. Throws a {@link NotSaved} if it cannot be written. */
  submitted(record: JobRecord, moment: Moment): void;
  /** A change of status, times or worker without a result: a start, a return to the queue, another ttl. */
  moved(record: JobRecord, moment: Moment): void;
  /** A job has ended. Its result is saved, and its submission only if it can be retried. */
  finished(record: JobRecord, moment: Moment): void;
  /** A retry: the result is dropped, and the job goes to the end of the queue. Sets its `number`. */
  requeued(record: JobRecord, moment: Moment): void;
  removed(records: readonly JobRecord[], moment: Moment): void;
  /** The first `readCount` chunks of an ended job count as read. */
  read(record: JobRecord, readCount: number): void;
  /** The queue closes: the latest time. */
  closed(moment: Moment): void;
  /** The changes of `work` are written together: if the process is killed, either all of them are saved or none. */
  together(work: () => void): void;
}

/** A webhook call. Its content is fixed when its job ends; later changes of the job do not alter it. */
export interface WebhookCall {
  endpointId: string;
  jobId: string;
  url: string;
  body: string;
}

/** A call that is still to be made. */
export interface DueWebhook extends WebhookCall {
  /** Identifies it in the store. */
  readonly number: number;
  /** The number of the next attempt, from 1. */
  readonly attempt: number;
  /** When it is due, in clock milliseconds. */
  readonly dueAtMs: number;
}

/** Where webhook calls are kept until they have succeeded or failed often enough; see state/webhook-rows.ts. */
export interface WebhookStore {
  /** The calls that an earlier sandbox did not finish, in the order they were added. */
  readonly unfinished: readonly DueWebhook[];
  added(call: Omit<DueWebhook, 'number'>): DueWebhook;
  /** Another attempt at another time. */
  postponed(webhook: DueWebhook): void;
  /** Answered, or given up. */
  over(webhook: DueWebhook): void;
}

/** A store for a sandbox without a state file. */
export function createMemoryWebhooks(): WebhookStore {
  let lastNumber = 0;
  return {
    unfinished: [],
    added: (call) => ({ ...call, number: (lastNumber += 1) }),
    postponed: () => undefined,
    over: () => undefined,
  };
}
