/** The receiver of webhook calls on this computer (ruling 25). */
export interface WebhookReceiverState {
  isOn: boolean;
  /** The address for the webhook field of a submission. Null while it is not listening. */
  url: string | null;
  /** How many calls named a job since Jobdeck started. */
  calls: number;
  lastCallAtMs: number | null;
  /** Why it is not listening although it should. */
  problem: string | null;
  /** Unknown jobs that calls named, newest first. They can be tracked. */
  unknownJobs: UnknownJob[];
}

/** A job that was submitted elsewhere with this computer's address. A call does not say which endpoint it runs on. */
export interface UnknownJob {
  jobId: string;
  /** When the last call named it. */
  atMs: number;
}

/**
 * A webhook call counts only as a hint that a job may have ended (ruling 25). Nothing else in the payload is trusted.
 */
export interface WebhookCall {
  jobId: string;
  /** The submission whose own path was called. Null if it was the general path. */
  jobKey: string | null;
}
