import { isTerminalStatus, mayOutputCome, missingInputReason, type Job } from './job.ts';
import { notCancelledText, notCheckedText, notExtendedText, notRetriedText } from './messages/job.ts';

/** Whether an action is offered. */
export interface Allowed {
  isAllowed: boolean;
  /** Why not, for a disabled button. Empty if allowed. */
  reason: string;
}

const yes: Allowed = { isAllowed: true, reason: '' };
const no = (reason: string): Allowed => ({ isAllowed: false, reason });

/**
 * What can be done with a job at `nowMs` (spec: States and transitions; ruling 15: offered only where it applies).
 * `check`: read its status now.
 */
export function allowedActions(
  job: Job,
  nowMs: number,
): { cancel: Allowed; retry: Allowed; resubmit: Allowed; extendTtl: Allowed; check: Allowed } {
  const missingInput = missingInputReason(job);
  return {
    cancel: cancelAllowed(job),
    retry: retryAllowed(job, nowMs),
    resubmit: missingInput === null ? yes : no(missingInput),
    extendTtl: extendAllowed(job),
    check: checkAllowed(job, nowMs),
  };
}

/** Even a job that is gone can be read again (ruling 34), and one whose output may still come. */
function checkAllowed(job: Job, nowMs: number): Allowed {
  if (job.phase === 'active' || (job.phase === 'gone' && job.jobId !== null)) return yes;
  if (mayOutputCome(job, nowMs)) return yes;
  if (job.phase === 'finished') return no(notCheckedText.finished);
  if (job.phase === 'outcome-unknown') return no(notCheckedText.unconfirmed);
  if (job.phase === 'orphaned' && job.jobId !== null) return no(notCheckedText.connectionRemoved);
  return no(notCheckedText.noId);
}

function cancelAllowed(job: Job): Allowed {
  if (job.retryRequestedAtMs !== undefined) return yes;
  if (job.isCancelling) return no(notCancelledText.cancelling);
  if (job.pendingStream !== undefined) return no(notCancelledText.streamLeft);
  // It has ended, and only the rest of its stream is still being read.
  if (job.phase === 'active' && job.status !== null && isTerminalStatus(job.status))
    return no(notCancelledText.finished);
  if (job.phase === 'waiting' || job.phase === 'active') return yes;
  if (job.phase === 'submitting') return no(notCancelledText.submitting);
  if (job.phase === 'outcome-unknown') return no(notCancelledText.noId);
  // If it was never sent, it is only removed from the outbox.
  if (job.phase === 'orphaned') return job.jobId === null ? yes : no(notCancelledText.connectionRemoved);
  return no(notCancelledText.finished);
}

function extendAllowed(job: Job): Allowed {
  const isLiveThere = job.phase === 'active' && (job.status === null || !isTerminalStatus(job.status));
  return isLiveThere ? yes : no(notExtendedText);
}

function retryAllowed(job: Job, nowMs: number): Allowed {
  const hasInput = missingInputReason(job) === null;
  if (job.retryRequestedAtMs !== undefined) return no(notRetriedText.isWaiting);
  if (job.phase === 'gone')
    return no(job.goneReason === 'too-large' ? notRetriedText.tooLarge(hasInput) : notRetriedText.gone(hasInput));
  if (job.status !== 'FAILED' && job.status !== 'TIMED_OUT') return no(notRetriedText.notFailed);
  if (job.retentionEndsAtMs !== null && nowMs >= job.retentionEndsAtMs) return no(notRetriedText.expired(hasInput));
  if (job.pendingStream !== undefined) return no(notRetriedText.streamLeft);
  return yes;
}
