import type { Result } from '../../src-preload/failure.ts';
import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { toast, undoAction } from '../design/toast.tsx';
import { commonText } from '../messages/common.ts';
import { withdrawnText, undoCancelText } from '../messages/data/changes.ts';

/** What became of jobs, or of their retries, that were to be withdrawn before they left. */
export interface Withdrawal {
  withdrawn: Job[];
  /** They had left, or may have, and continue. */
  left: Job[];
  /** Why the first of the others could not be asked, or null. */
  problem: string | null;
}

/** How many calls are made at a time. */
const atOnce = 10;

/** Withdraws waiting retries and unsent jobs. What left, or may have left, is not touched. */
export async function withdrawUnsent(keys: readonly string[]): Promise<Withdrawal> {
  const outcome: Withdrawal = { withdrawn: [], left: [], problem: null };
  for (let from = 0; from < keys.length; from += atOnce) {
    const slice = keys.slice(from, from + atOnce);
    for (const result of await Promise.all(slice.map((key) => call('job:withdraw', { key })))) note(outcome, result);
  }
  return outcome;
}

function note(outcome: Withdrawal, result: Result<{ job: Job; isWithdrawn: boolean }>): void {
  if (!result.ok) outcome.problem ??= result.failure.message;
  else (result.value.isWithdrawn ? outcome.withdrawn : outcome.left).push(result.value.job);
}

/**
 * Shows what was sent, with an undo for the jobs that still wait to be sent. `keys`: these, `of`: how many there are
 * with those that left, `what`: what of each job was sent.
 */
export function showSentToast(
  message: string,
  { keys, of, what }: { keys: readonly string[]; of: number; what: 'retry' | 'job' },
): void {
  const label = keys.length === of ? commonText.undo : undoCancelText.undo(keys.length);
  toast(message, keys.length === 0 ? {} : { action: undoAction(() => void undo(keys, what), { label }) });
}

async function undo(keys: readonly string[], what: 'retry' | 'job'): Promise<void> {
  const { withdrawn, left, problem } = await withdrawUnsent(keys);
  const message = withdrawnText[what](withdrawn.length, left.length);
  toast(problem === null ? message : `${message} ${problem}`, problem === null ? {} : { glyph: 'fail' });
}
