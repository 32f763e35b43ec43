import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { toast } from '../design/toast.tsx';
import { commonText } from '../messages/common.ts';
import { undoCancelText } from '../messages/data/changes.ts';

/** A job before and after it was cancelled. */
export interface Cancelled {
  before: Job | undefined;
  after: Job;
}

/**
 * What undoes a cancel, if the request had not left this computer (decision 069): a job that was never sent is
 * submitted again as a new one, and a waiting retry is requested again. Null if the cancel was sent to the service.
 */
export function undoOf({ before, after }: Cancelled): 'job:resubmit' | 'job:retry' | null {
  if (after.reason?.kind === 'withdrawn') return 'job:resubmit';
  return before?.retryRequestedAtMs !== undefined && after.retryRequestedAtMs === undefined ? 'job:retry' : null;
}

/** Shows that jobs were cancelled, and offers to undo it if nothing of them had left this computer. */
export function showCancelledToast(message: string, cancelled: readonly Cancelled[]): void {
  const undos = cancelled.flatMap((one) => {
    const name = undoOf(one);
    return name === null ? [] : [{ name, key: one.after.key }];
  });
  toast(message, undos.length === 0 ? {} : { action: { label: labelOf(undos), onSelect: () => void undo(undos) } });
}

interface Undo {
  name: 'job:resubmit' | 'job:retry';
  key: string;
}

function labelOf(undos: readonly Undo[]): string {
  if (undos.every(({ name }) => name === 'job:retry')) return commonText.undo;
  if (undos.some(({ name }) => name === 'job:retry')) return undoCancelText.undo(undos.length);
  return undoCancelText.submitAgain(undos.length);
}

async function undo(undos: readonly Undo[]): Promise<void> {
  for (const [at, { name, key }] of undos.entries()) {
    const result = await call(name, { key });
    if (result.ok) continue;
    toast(`${undoCancelText.couldNotUndo(undos.length - at)} ${result.failure.message}`, { glyph: 'fail' });
    return;
  }
}
