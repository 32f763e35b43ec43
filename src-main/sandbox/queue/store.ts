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

/** A new job that the disk refuses; the message is a sentence for the client. */
export class NotKept extends Error {}

/**
 * Where an endpoint's jobs are kept over restarts; see state/. Each change is written when its call returns,
 * and the queue calls before anyone is answered. Where the disk refuses, a new job is refused; what happens to the
 * others is kept in memory until it can be written, because it happens all the same.
 */
export interface JobStore {
  /**
   * The jobs as they were, in queue order, running ones included; to be called once. Throws when they cannot be read.
   */
  load(): { jobs: JobRecord[]; counts: KeptCounts };
  /** A new job. Sets its `number`. Throws a {@link NotKept} when it cannot be written. */
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
  /** What `work` changes is written as one: a process that is killed leaves all of it behind, or nothing. */
  together(work: () => void): void;
}

/** A webhook call: what it says is settled when its job ends, later changes of the job do not alter it. */
export interface WebhookCall {
  endpointId: string;
  jobId: string;
  url: string;
  body: string;
}

/** A call that is still to be made. */
export interface DueWebhook extends WebhookCall {
  /** Names it in the store. */
  readonly number: number;
  /** Which attempt comes next, from 1. */
  readonly attempt: number;
  /** When it comes, in clock milliseconds. */
  readonly dueAtMs: number;
}

/** Where webhook calls are kept until they have succeeded or were tried often enough; see state/webhook-rows.ts. */
export interface WebhookStore {
  /** What an earlier sandbox left to do, in the order it was added. */
  readonly left: readonly DueWebhook[];
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
    left: [],
    added: (call) => ({ ...call, number: (lastNumber += 1) }),
    postponed: () => undefined,
    over: () => undefined,
  };
}
