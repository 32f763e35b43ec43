import { isLive, statusKind, type Job } from '../../src-preload/job.ts';
import { allowedHere, type Here } from '../data/allowed-here.ts';

export type ActionId = 'cancel' | 'retry' | 'run-again' | 'resubmit-edits' | 'curl';

export interface RowAction {
  id: ActionId;
  keys: readonly string[] | null;
  variant: 'default' | 'primary' | 'danger';
  /** Why it is not available now. Empty if it is. */
  reason: string;
}

/**
 * The buttons under the title, the most likely one first, at most one of them primary (design language: Do). What does
 * not apply stays, greyed, with its reason (ruling 15).
 */
export function rowActions(job: Job, nowMs: number, here: Here): RowAction[] {
  const allowed = allowedHere(job, nowMs, here);
  const edits: RowAction = {
    id: 'resubmit-edits',
    keys: ['E'],
    variant: 'default',
    reason: allowed.edit.reason,
  };
  const curl: RowAction = {
    id: 'curl',
    keys: null,
    variant: 'default',
    reason: allowed.resubmit.reason,
  };
  const retry: RowAction = {
    id: 'retry',
    keys: ['R'],
    variant: 'default',
    reason: allowed.retry.reason,
  };
  // A job whose stream is still being read is over, so it has the buttons of an ended job.
  if (isLive(job) && job.pendingStream === undefined) {
    const cancel: RowAction = {
      id: 'cancel',
      keys: ['.'],
      variant: 'danger',
      reason: allowed.cancel.reason,
    };
    return [cancel, edits, curl, { ...retry, keys: null }];
  }
  const kind = statusKind(job);
  if (kind === 'fail' || kind === 'timeout') {
    // A waiting retry will be sent next, so nothing else is suggested.
    const leads = edits.reason === '' && job.retryRequestedAtMs === undefined;
    return allowed.retry.isAllowed
      ? [{ ...retry, variant: 'primary' }, edits, curl]
      : [{ ...edits, variant: leads ? 'primary' : 'default' }, curl, { ...retry, keys: null }];
  }
  const again: RowAction = {
    id: 'run-again',
    keys: ['R'],
    variant: 'default',
    reason: allowed.resubmit.reason,
  };
  // The button that was just used stays, so that the user sees its effect.
  return kind === 'cancel'
    ? [again, edits, { id: 'cancel', keys: null, variant: 'default', reason: allowed.cancel.reason }]
    : [again, edits, curl];
}
