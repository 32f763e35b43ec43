/** What a paced endpoint and its workers say to each other. A test process has one such endpoint at a time. */
export const PACE_CHANNEL = 'jobdeck-paced-endpoint';

/** A worker begins with a job and has not heard how many values may pass. */
export interface PaceAsked {
  kind: 'asked';
  jobId: string;
}

/** How many values of each job may pass. Infinity: all, and the job may end. */
export interface PaceSet {
  kind: 'set';
  allowed: number;
  /** By the ids of the jobs that have begun: 1 for the first one. */
  turns: ReadonlyMap<string, number>;
}

export function isPaceAsked(message: unknown): message is PaceAsked {
  return typeof message === 'object' && message !== null && Reflect.get(message, 'kind') === 'asked';
}

export function isPaceSet(message: unknown): message is PaceSet {
  return typeof message === 'object' && message !== null && Reflect.get(message, 'kind') === 'set';
}
