import { failedRows, type Batch } from '../../src-preload/batch.ts';
import { statusKind, type Job, type StatusKind } from '../../src-preload/job.ts';
import { outcomeOf, type NotifyOutcome, type NotifySubject } from '../../src-preload/notification.ts';
import type { NewNotification } from '../history/records.ts';
import { batchMessage, endMessage, stoppedBatchMessage } from '../messages/notifications.ts';
import { tookMs } from './plan-notifications.ts';
import { aboutRefusal, refusalMessage, subjectOfRefusal, type ServiceRefusal, type RefusalNames } from './refusals.ts';

/** A notification before the user's rules decide whether it is shown. */
export interface OutcomeNotification {
  /** What the rules decide by. */
  subject: NotifySubject;
  outcome: NotifyOutcome;
  /** How long the user waited for the outcome. Infinite where no rule may drop it as a short one. */
  tookMs: number;
  /** What is saved. `about` is the same for the same event, so that it is reported once, over restarts too. */
  content: Omit<NewNotification, 'atMs' | 'connectionId' | 'delivery' | 'deliveredAtMs'>;
}

/** The end of an attempt of a job. Pure. */
export function endOfJob(job: Job, names: RefusalNames, nowMs: number): OutcomeNotification {
  const { connectionId, endpointId, tags, key, attempt } = job;
  const endKind = statusKind(job);
  return {
    subject: { connectionId, endpointId, tags },
    outcome: outcomeOf(job),
    tookMs: tookMs(job, nowMs),
    content: {
      about: `job/${key}/${attempt}/${endKind}`,
      kind: 'job',
      statusKind: endKind,
      ...endMessage(job, names.endpointName(job)),
      endpointId,
      jobKey: key,
      batchId: null,
    },
  };
}

/** The end of a batch. Null if the user cancelled it before any of it was sent. Pure. */
export function endOfBatch(batch: Batch, nowMs: number): OutcomeNotification | null {
  const { id, connectionId, endpointId, counts, total, createdAtMs } = batch;
  if (counts.cancelled >= total) return null;
  const hasFailed = failedRows(batch) > 0;
  return {
    subject: { connectionId, endpointId, tags: [] },
    outcome: hasFailed ? 'failed' : 'completed',
    tookMs: nowMs - createdAtMs,
    content: {
      about: `batch/${id}`,
      kind: 'batch',
      statusKind: statusOfBatch(batch),
      ...batchMessage(batch),
      endpointId,
      jobKey: null,
      batchId: id,
    },
  };
}

/** The glyph of an ended batch: that of its worst rows. */
function statusOfBatch(batch: Batch): StatusKind {
  if (failedRows(batch) > 0) return 'fail';
  if (batch.counts.unknown > 0) return 'unknown';
  return batch.counts.gone > 0 ? 'gone' : 'done';
}

/** A batch that its failures stopped. The number of failures names the event: a resumed batch may stop again. Pure. */
export function stopOfBatch(batch: Batch): OutcomeNotification {
  const { id, connectionId, endpointId } = batch;
  return {
    subject: { connectionId, endpointId, tags: [] },
    outcome: 'failed',
    tookMs: Infinity,
    content: {
      about: `batch/${id}/stopped/${failedRows(batch)}`,
      kind: 'batch',
      statusKind: 'fail',
      ...stoppedBatchMessage(batch),
      endpointId,
      jobKey: null,
      batchId: id,
    },
  };
}

/** A service refuses the key, or operations of an endpoint. Pure. */
export function newRefusal(refusal: ServiceRefusal, names: RefusalNames): OutcomeNotification {
  const { connectionId, endpointId } = subjectOfRefusal(refusal);
  return {
    subject: { connectionId, endpointId, tags: [] },
    outcome: 'alerts',
    tookMs: Infinity,
    content: {
      about: aboutRefusal(refusal),
      kind: 'refusal',
      statusKind: null,
      ...refusalMessage(refusal, names),
      endpointId,
      jobKey: null,
      batchId: null,
    },
  };
}
