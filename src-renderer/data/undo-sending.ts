import type { Result } from '../../src-preload/failure.ts';
import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { toast } from '../design/toast.tsx';
import { commonText } from '../messages/common.ts';
import { takenBackText, undoCancelText } from '../messages/data/changes.ts';

/** What happened to jobs, or to their retries, that were to be taken back before they left. */
export interface TakenBack {
  withdrawn: Job[];
  /** They had left, or may have, and go on. */
  left: Job[];
  /** Why the first of the others could not be asked, or null. */
  problem: string | null;
}

/** How many calls are made at a time. */
const atOnce = 10;

/** Takes back waiting retries and unsent jobs. What left, or may have left, is not touched. */
export async function takeBack(keys: readonly string[]): Promise<TakenBack> {
  const taken: TakenBack = { withdrawn: [], left: [], problem: null };
  for (let from = 0; from < keys.length; from += atOnce) {
    const slice = keys.slice(from, from + atOnce);
    for (const result of await Promise.all(slice.map((key) => call('job:withdraw', { key })))) note(taken, result);
  }
  return taken;
}

function note(taken: TakenBack, result: Result<{ job: Job; isWithdrawn: boolean }>): void {
  if (!result.ok) taken.problem ??= result.failure.message;
  else (result.value.isWithdrawn ? taken.withdrawn : taken.left).push(result.value.job);
}

/**
 * Shows what was sent, with an undo for the jobs that still wait to be sent. `keys`: these, `of`: how many there are
 * with those that left, `what`: what of each job was sent.
 */
export function showSentToast(
  said: string,
  { keys, of, what }: { keys: readonly string[]; of: number; what: 'retry' | 'job' },
): void {
  const label = keys.length === of ? commonText.undo : undoCancelText.undo(keys.length);
  toast(said, keys.length === 0 ? {} : { action: { label, onSelect: () => void undo(keys, what) } });
}

async function undo(keys: readonly string[], what: 'retry' | 'job'): Promise<void> {
  const { withdrawn, left, problem } = await takeBack(keys);
  const said = takenBackText[what](withdrawn.length, left.length);
  toast(problem === null ? said : `${said} ${problem}`, problem === null ? {} : { glyph: 'fail' });
}
