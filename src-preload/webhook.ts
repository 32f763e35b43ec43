/** The receiver of webhook calls on this computer (ruling 25). */
export interface WebhookReceiverState {
  isOn: boolean;
  /** What goes into the webhook field of a submission; null while it does not listen. */
  url: string | null;
  /** Calls that named a job, since Jobdeck started. */
  calls: number;
  lastCallAtMs: number | null;
  /** Why it does not listen although it should. */
  problem: string | null;
  /** Jobs that calls named and that are unknown here, newest first: they can be tracked. */
  unknownJobs: UnknownJob[];
}

/** A job submitted elsewhere with this computer's address. Which endpoint it runs on, a call does not say. */
export interface UnknownJob {
  jobId: string;
  /** When the last call named it. */
  atMs: number;
}

/** True for an address whose service can call this computer back without a tunnel. */
export function isOnThisComputer(baseUrl: string): boolean {
  return /^https?:\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])(?:[:/]|$)/i.test(baseUrl);
}
