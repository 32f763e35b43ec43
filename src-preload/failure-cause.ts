import type { z } from 'zod';
import type { muteChoice } from './failure-schema.ts';
import type { Job, StatusKind } from './job.ts';

/** Failed jobs of one endpoint that failed alike. */
export interface FailureCause {
  id: number;
  endpointId: string;
  /** The error's line without what differs from job to job. */
  message: string;
  /** The user's own frame closest to where it broke; empty where none is known. */
  frame: string;
  look: StatusKind;
  /** Of the time that was asked for. */
  jobs: number;
  firstAtMs: number;
  lastAtMs: number;
  /** Jobs of each part of that time, oldest first. */
  trend: number[];
  /** Null while it is not muted. */
  mute: Mute | null;
}

/** A cause that is left out of the figures. */
export interface Mute {
  sinceMs: number;
  /** When it ends; null: not at a time. */
  untilMs: number | null;
  /** It ends once more than so many jobs failed within 24 hours; null: not by that. */
  risesAbove: number | null;
  /** Why, as the user wrote it; may be empty. */
  reason: string;
}

/** What becomes of a cause's mute. `isUntilRise`: it ends when the cause fails more often than in the day before. */
export type MuteChoice = z.infer<typeof muteChoice>;

/** A cause by its name, and how many jobs it has in all. */
export type NamedCause = Pick<FailureCause, 'id' | 'endpointId' | 'message' | 'jobs'>;

export interface FailureOverview {
  /** Those with the most jobs first. */
  causes: FailureCause[];
  /** Failed jobs that are not sorted under their cause yet. */
  unsorted: number;
}

/** Something that failed jobs have in common, and how many of those that completed have it too. */
export interface CommonFact {
  /** The path of the input, or `worker`. */
  name: string;
  /** `24`, `≥ 7,200`, `"large"`. */
  value: string;
  failed: number;
  completed: number;
  /** The value that most completed jobs have instead and no failed one has; null where there is none. */
  instead: { json: string; completed: number } | null;
}

/** A cause with its jobs, newest first, and what they have in common. */
export interface FailureDetail {
  jobs: Job[];
  /** Most telling first. */
  common: CommonFact[];
  /** How many jobs of each kind were looked at for that. */
  failedSeen: number;
  completedSeen: number;
  /** All jobs of the cause, whenever they failed. */
  total: number;
  /** Of its newest `mostActedJobs`, those that were retried and failed again, and those whose input was sent again. */
  retried: number;
  sentAgain: number;
}

/** What is done for all jobs of a cause is done for its newest ones, up to so many. */
export const mostActedJobs = 1_000;

/** The trend of a cause has so many parts. */
export const trendParts = 28;
