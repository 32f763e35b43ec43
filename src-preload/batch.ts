import type { Job, SubmitOperation } from './job.ts';

/** Most rows of one batch. */
export const mostBatchRows = 20_000;
/** spec: Limits. What an endpoint takes in any ten seconds; of it only a share is spent (ruling 21). */
export const submitLimits: Readonly<Record<SubmitOperation, number>> = { run: 1_000, runsync: 2_000 };

/** Where the rows of a batch stand. Every row is in exactly one. */
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

/** What holds rows of a batch back by itself; null: nothing does. */
export interface BatchLimits {
  /** Rows on the service at once; the next is sent when one of them ended. */
  mostLive: number | null;
  /** After so many rows that failed or were refused nothing more is sent until the user resumes the batch. */
  stopAfterFailures: number | null;
}

export const noBatchLimits: BatchLimits = { mostLive: null, stopAfterFailures: null };

/** Inputs that were submitted together. Each row is a job of its own; this is what they have in common. */
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
  /** Its rows that were not sent yet stay here until it is resumed; other jobs are not affected. */
  isPaused: boolean;
  limits: BatchLimits;
  /** Failures until it stops by itself; null: it never does. */
  failuresLeft: number | null;
  counts: BatchCounts;
}

/** A row that cannot be sent, and why. `row` counts from 1. */
export interface RefusedRow {
  row: number;
  message: string;
}

/** `refused`: found here before anything was kept; nothing of the batch exists. */
export type BatchSubmission = { kind: 'taken'; batch: Batch } | { kind: 'refused'; rows: RefusedRow[] };

/** Whether its failures hold its rows back. */
export function isStopped({ isPaused, failuresLeft }: Pick<Batch, 'isPaused' | 'failuresLeft'>): boolean {
  return isPaused && failuresLeft === 0;
}

/** The state that a row's job is in. */
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

/** True while some of its rows are waiting, being sent or on the service. */
export function isBatchLive({ counts }: Pick<Batch, 'counts'>): boolean {
  return counts.waiting + counts.sending + counts.active > 0;
}

/** Rows that "Resubmit failed" takes: those the service ended or refused, and none that may still have run. */
export function failedRows({ counts }: Pick<Batch, 'counts'>): number {
  return counts.failed + counts.refused;
}

/** How long it takes until `rows` have left when `perWindow` may leave in any ten seconds; milliseconds. */
export function sendingTimeMs(rows: number, perWindow: number): number {
  return Math.max(0, Math.ceil(rows / Math.max(1, perWindow)) - 1) * 10_000;
}
