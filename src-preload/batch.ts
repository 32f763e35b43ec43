import type { Job, SubmitOperation } from './job.ts';

/** Longest name of a batch, in characters. */
export const maxBatchNameChars = 120;
/** The most rows of one batch. */
export const maxBatchRows = 20_000;
/**
 * spec: Limits. How many submissions an endpoint accepts in any ten seconds. Only a share of it is used (ruling 21).
 */
export const submitLimits: Readonly<Record<SubmitOperation, number>> = { run: 1_000, runsync: 2_000 };

/** The states of a batch's rows. Every row is in exactly one. */
export const batchStates = [
  'waiting',
  'sending',
  'active',
  'completed',
  'failed',
  'cancelled',
  'refused',
  'unknown',
  'gone',
  'orphaned',
] as const;
export type BatchState = (typeof batchStates)[number];
export type BatchCounts = Record<BatchState, number>;

/** Without any rows. */
export const noRows: Readonly<BatchCounts> = {
  waiting: 0,
  sending: 0,
  active: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  refused: 0,
  unknown: 0,
  gone: 0,
  orphaned: 0,
};

/** What holds rows of a batch back automatically. Null: nothing. */
export interface BatchLimits {
  /** The most rows at the service at the same time. The next is sent when one of them ends. */
  maxLive: number | null;
  /** After this many failed or refused rows nothing more is sent until the user resumes the batch. */
  stopAfterFailures: number | null;
}

export const noBatchLimits: BatchLimits = { maxLive: null, stopAfterFailures: null };

/** Inputs that were submitted together. Each row is a job; this is what they have in common. */
export interface Batch {
  /** Ascending in time, as the keys of its jobs. */
  id: string;
  name: string;
  connectionId: string;
  endpointId: string;
  operation: SubmitOperation;
  createdAtMs: number;
  /** How many rows it was submitted with. */
  total: number;
  /** Its unsent rows stay here until it is resumed. Other jobs are not affected. */
  isPaused: boolean;
  limits: BatchLimits;
  /** How many failures are left until it stops. Null: it never stops. */
  failuresLeft: number | null;
  counts: BatchCounts;
}

/** Batches as they were at one moment. */
export interface BatchList {
  /** The newest first. */
  batches: Batch[];
  /** That of the counts of all jobs at that moment (`AllJobCounts`). A change with a later one is newer. */
  revision: number;
}

/** The jobs of one row in two batches, and how far all such pairs are judged. */
export interface BatchPair {
  /** Which of the pairs this is, from 0. */
  at: number;
  /** Counts from 1. */
  row: number;
  keys: [string, string];
  /** How many rows both batches have. */
  total: number;
  /** In how many pairs both jobs have a mark. */
  judged: number;
  /** In how many of them the first batch has the higher mark, and in how many the second. */
  ahead: [number, number];
  firstUnjudged: number | null;
}

/** A row that cannot be sent, and the reason. `row` counts from 1. */
export interface RefusedRow {
  row: number;
  message: string;
}

/** `refused`: a check found problems before anything was saved, so no batch was created. */
export type BatchSubmission = { kind: 'accepted'; batch: Batch } | { kind: 'refused'; rows: RefusedRow[] };

/** Whether the batch was stopped by its failures. */
export function isStopped({ isPaused, failuresLeft }: Pick<Batch, 'isPaused' | 'failuresLeft'>): boolean {
  return isPaused && failuresLeft === 0;
}

/** The batch state of a row's job. */
export function batchStateOf({ phase, status }: Pick<Job, 'phase' | 'status'>): BatchState {
  switch (phase) {
    case 'waiting':
      return 'waiting';
    case 'submitting':
      return 'sending';
    case 'outcome-unknown':
      return 'unknown';
    case 'refused':
      return 'refused';
    case 'active':
      return 'active';
    case 'gone':
      return 'gone';
    case 'orphaned':
      return 'orphaned';
    case 'finished':
      return status === 'COMPLETED' ? 'completed' : status === 'CANCELLED' ? 'cancelled' : 'failed';
  }
}

/** True while some of its rows are waiting, being sent or at the service. */
export function isBatchLive({ counts }: Pick<Batch, 'counts'>): boolean {
  return counts.waiting + counts.sending + counts.active > 0;
}

/** The rows that "Resubmit failed" submits: those that the service ended or refused, and none that may still run. */
export function failedRows({ counts }: Pick<Batch, 'counts'>): number {
  return counts.failed + counts.refused;
}

/** How long it takes to send `rows` if `perWindow` may be sent in any ten seconds. Milliseconds. */
export function sendingTimeMs(rows: number, perWindow: number): number {
  return Math.max(0, Math.ceil(rows / Math.max(1, perWindow)) - 1) * 10_000;
}
