import type { z } from 'zod';
import type { muteChoice } from './failure-cause-schema.ts';
import type { Job, StatusKind } from './job.ts';

/** How a failed job ended. */
type FailureKind = Extract<StatusKind, 'fail' | 'timeout'>;

/** Failed jobs of one endpoint with the same cause. */
export interface FailureCause {
  id: number;
  endpointId: string;
  /** The error message without the parts that differ between jobs. */
  message: string;
  /** The user's own stack frame closest to the error. Empty if none is known. */
  frame: string;
  /** How its last job ended. */
  kind: FailureKind;
  /** How many jobs failed in the requested time. */
  jobs: number;
  firstAtMs: number;
  lastAtMs: number;
  /** How many jobs failed in each part of that time, oldest first. */
  trend: number[];
  /** Null while it is not muted. */
  mute: Mute | null;
}

/** A cause that is left out of the figures. */
export interface Mute {
  sinceMs: number;
  /** When it ends; null: not at a time. */
  untilMs: number | null;
  /** It ends when more than this number of jobs failed within 24 hours. Null: not by that. */
  risesAbove: number | null;
  /** Why, as the user wrote it; may be empty. */
  reason: string;
}

/** What becomes of a cause's mute. `isUntilRise`: it ends when the cause fails more often than in the day before. */
export type MuteChoice = z.infer<typeof muteChoice>;

/** A cause by its name, with the number of all its jobs. */
export type NamedCause = Pick<FailureCause, 'id' | 'endpointId' | 'message' | 'jobs'>;

export interface FailureOverview {
  /** The most frequent first. */
  causes: FailureCause[];
  /** Failed jobs that have not been assigned to their cause yet. */
  unsorted: number;
}

/** How often a cause failed on one worker. */
export interface CauseOnWorker {
  causeId: number;
  endpointId: string;
  /** Null: the service did not report it. */
  workerId: string | null;
  jobs: number;
  lastAtMs: number;
  /** As in `FailureCause`. */
  trend: number[];
}

export interface FailuresByWorker {
  on: CauseOnWorker[];
  /** The sum of `on`: the newest failures of each cause. */
  counted: number;
  /** All failures in that time. */
  total: number;
}

/** The kinds of values that JSON has. */
export type JsonType = 'number' | 'text' | 'boolean' | 'null' | 'list' | 'object';

/**
 * What failed jobs have at one path of their input: a value (`24`, `"large"`, `≥ 7,200`), a type that completed jobs do
 * not have there, anything at all, or nothing.
 */
export type FactTrait =
  | { kind: 'value'; text: string }
  | { kind: 'type'; type: JsonType }
  | { kind: 'present' }
  | { kind: 'missing' };

/** Something that failed jobs have in common, and how many completed jobs have it too. */
export interface CommonFact {
  /** The path of the input, or `worker`. */
  name: string;
  trait: FactTrait;
  /** The error message names this path. */
  isNamed: boolean;
  failed: number;
  completed: number;
  /** The value that most completed jobs have instead and no failed one has, or null. */
  instead: { json: string; completed: number } | null;
}

/**
 * A part of a cause's message: fixed text, or a place where the jobs differ. `seen`: they have numbers there, of which
 * these are the least and the greatest as they were written, or all have one value, given twice. `varied`: various
 * texts.
 */
export type MessagePart =
  | { kind: 'text'; text: string }
  | { kind: 'seen'; min: string; max: string }
  | { kind: 'varied' };

/** A cause with its jobs, newest first, and what they have in common. */
export interface FailureDetail {
  jobs: Job[];
  /** The cause's message with what these jobs and further ones had in it. */
  message: MessagePart[];
  /** The most significant first. */
  common: CommonFact[];
  /** How many jobs of each kind were compared. */
  failedSeen: number;
  completedSeen: number;
  /** All jobs of the cause, whenever they failed. */
  total: number;
  /** How many of its newest `maxCountedAgain` were retried and failed again, and how many were resubmitted. */
  retried: number;
  sentAgain: number;
}

/** Among this many of the newest jobs of a cause, retried and resubmitted ones are counted. */
export const maxCountedAgain = 1_000;

/** How many parts the trend of a cause has. */
export const trendParts = 28;
