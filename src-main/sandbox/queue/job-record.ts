import { randomUUID } from 'node:crypto';
import type { ClockTimer } from '../time/clock.ts';
import type { Dialect } from '../dialect.ts';
import { createStreamBuffer, type StreamBuffer } from './stream-buffer.ts';
import type { Submission } from './validation.ts';

/** Spec: States and transitions. */
export type JobStatus = 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';

/** How a job came in; it decides how long its result is kept. */
export type JobSource = 'run' | 'runsync';

/** One job as the service holds it. Only queue.ts writes it. Times are clock milliseconds. */
export interface JobRecord {
  readonly id: string;
  readonly source: JobSource;
  readonly submission: Submission;
  readonly stream: StreamBuffer;
  /** Called on every change of the record, its removal included; see job-waiting.ts. */
  readonly listeners: Set<() => void>;
  status: JobStatus;
  queuedAtMs: number;
  startedAtMs: number | null;
  endedAtMs: number | null;
  outputJson: string | null;
  error: string | null;
  workerId: string | null;
  retries: number;
  isRemoved: boolean;
  ttlTimer: ClockTimer | null;
  executionTimer: ClockTimer | null;
  retentionTimer: ClockTimer | null;
}

/** A fresh job in IN_QUEUE. Ids look like the field's: a UUID, `-u1`, and `sync-` before runsync's. */
export function createJobRecord(submission: Submission, source: JobSource, nowMs: number): JobRecord {
  return {
    id: `${source === 'runsync' ? 'sync-' : ''}${randomUUID()}-u1`,
    source,
    submission,
    stream: createStreamBuffer(),
    listeners: new Set(),
    status: 'IN_QUEUE',
    queuedAtMs: nowMs,
    startedAtMs: null,
    endedAtMs: null,
    outputJson: null,
    error: null,
    workerId: null,
    retries: 0,
    isRemoved: false,
    ttlTimer: null,
    executionTimer: null,
    retentionTimer: null,
  };
}

/** True for the four states that only a retry leaves. */
export function isTerminal(status: JobStatus): boolean {
  return status !== 'IN_QUEUE' && status !== 'IN_PROGRESS';
}

/** Time spent in the queue and on a worker in this attempt, up to now for what is not over (ruling 3). */
export function timesOf(record: JobRecord, nowMs: number): { delayTimeMs: number; executionTimeMs: number } {
  const { queuedAtMs, startedAtMs, endedAtMs } = record;
  const endMs = endedAtMs ?? nowMs;
  return {
    delayTimeMs: (startedAtMs ?? endMs) - queuedAtMs,
    executionTimeMs: startedAtMs === null ? 0 : endMs - startedAtMs,
  };
}

/**
 * The job record as JSON text (spec: Job record). `observed` adds what the field was seen to send:
 * workerId, and retries once there was one.
 */
export function renderJob(record: JobRecord, dialect: Dialect, nowMs: number): string {
  const { delayTimeMs, executionTimeMs } = timesOf(record, nowMs);
  const fields = [`"id":${JSON.stringify(record.id)}`, `"status":"${record.status}"`];
  if (record.outputJson !== null) fields.push(`"output":${record.outputJson}`);
  if (record.error !== null) fields.push(`"error":${JSON.stringify(record.error)}`);
  fields.push(`"delayTime":${delayTimeMs}`, `"executionTime":${executionTimeMs}`);
  if (dialect === 'observed') {
    if (record.workerId !== null) fields.push(`"workerId":"${record.workerId}"`);
    if (record.retries > 0) fields.push(`"retries":${record.retries}`);
  }
  return `{${fields.join(',')}}`;
}
