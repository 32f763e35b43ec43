import { create } from 'zustand';
import { deletionAllowed, maxDeleted } from '../../src-preload/job-deletion.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Allowed } from '../../src-preload/job-actions.ts';
import { call } from '../bridge.ts';
import { deletionText, restoredText } from '../messages/data/changes.ts';
import { toast, undoAction } from '../design/toast.tsx';
import { applyReportedJobs, useJobs } from './jobs-store.ts';
import { addPending, dropPending, forgetDeleted, useDeletedJobs, usePendingDeletions } from './pending-deletions.ts';
import { useSession } from './session-store.ts';
import { maxBinned } from '../../src-preload/bin.ts';

/** Jobs that the bin could not take, and that wait for the user to delete them for good. Null: none. */
export const useRefusedByBin = create<{ jobs: readonly Job[] | null }>(() => ({ jobs: null }));

/** Whether a job may be deleted from the history, as far as this window knows. */
export function canDelete(job: Job): Allowed {
  const { connections } = useSession.getState();
  return deletionAllowed(job, !connections.some(({ id }) => id === job.connectionId));
}

/**
 * Moves jobs into the bin. They leave this window immediately, and a toast offers to restore them. A job that may not
 * be deleted stays, and the reason is shown. `isForGood`: they are not restored by anything; the caller has asked.
 */
export async function deleteJobs(requested: readonly Job[], isForGood = false): Promise<void> {
  const pending = usePendingDeletions.getState();
  const jobs = requested.filter((job) => !pending.has(job.key) && canDelete(job).isAllowed);
  const firstReason = requested.map((job) => canDelete(job).reason).find((reason) => reason !== '');
  if (jobs.length === 0) {
    if (firstReason !== undefined) toast(deletionText.notDeleted(firstReason));
    return;
  }
  addPending(jobs);
  useJobs.getState().hide(jobs.map(({ key }) => key));
  const deletion = new Deletion(jobs, isForGood);
  // What takes long is announced when it has begun well.
  await deletion.slice();
  if (deletion.deleted.length > 0) {
    const count = deletion.expected();
    const others = requested.length - jobs.length;
    const partly = isForGood ? deletionText.partlyDeletedForGood : deletionText.partlyDeleted;
    const all = isForGood ? deletionText.deletedForGood : deletionText.deleted;
    const message = others === 0 || firstReason === undefined ? all(count) : partly(count, others, firstReason);
    const action = undoAction(() => void deletion.undo(), { isPossible: () => deletion.isRestorable() });
    toast(message, isForGood ? {} : { action });
  }
  await deletion.rest();
}

/** A deletion in slices, which the undo stops. */
class Deletion {
  /** Keys of the jobs that are in the bin now. */
  readonly deleted: string[] = [];
  readonly #jobs: readonly Job[];
  readonly #isForGood: boolean;
  #from = 0;
  /** How many the engine did not delete so far. It shows why. */
  #kept = 0;
  #isStopped = false;
  #whenDone: Promise<void> = Promise.resolve();

  constructor(jobs: readonly Job[], isForGood: boolean) {
    this.#jobs = jobs;
    this.#isForGood = isForGood;
  }

  /** How many jobs will have been deleted at the end, as far as is known now. */
  expected(): number {
    return this.#isStopped ? this.deleted.length : this.#jobs.length - this.#kept;
  }

  /** Deletes what is left. */
  rest(): Promise<void> {
    this.#whenDone = this.#goOn();
    return this.#whenDone;
  }

  /** Whether one of the jobs is not deleted for good. */
  isRestorable(): boolean {
    const restorable = useDeletedJobs.getState();
    return this.#jobs.some(({ key }) => restorable.has(key));
  }

  /** Stops, and restores what was deleted. */
  async undo(): Promise<void> {
    this.#isStopped = true;
    await this.#whenDone;
    await restoreJobs(this.deleted, this.#jobs);
  }

  /** Deletes the next slice. */
  async slice(): Promise<void> {
    const slice = this.#jobs.slice(this.#from, this.#from + maxDeleted);
    const isForGood = this.#isForGood;
    const result = await call('job:delete', { keys: slice.map(({ key }) => key), isForGood });
    if (!result.ok) {
      const { kind, message } = result.failure;
      const unsaved = this.#stop();
      const isBinFull = kind === 'storage' && !isForGood;
      toast(`${deletionText.couldNotDelete(unsaved.length)} ${message}`, isBinFull ? forGoodAction(unsaved) : {});
      return;
    }
    this.#from += slice.length;
    const { deleted, kept, isBinRefused } = result.value;
    this.deleted.push(...deleted);
    this.#kept += kept.length;
    // They stay hidden until the counts without them come, so that list and counts agree in every frame.
    if (this.#isForGood) forgetDeleted(deleted);
    if (kept.length === 0) return;
    const keptKeys = new Set(kept.map(({ key }) => key));
    const stayed = slice.filter(({ key }) => keptKeys.has(key));
    bringBack(stayed);
    // A bin that refused one job refuses the others.
    const refused = isBinRefused ? [...stayed, ...this.#stop()] : [];
    toast(
      deletionText.jobsNotDeleted(Math.max(kept.length, refused.length), kept[0]?.reason ?? ''),
      isBinRefused ? forGoodAction(refused) : {},
    );
  }

  /** Shows the jobs again that were not asked for yet, and returns them: they are not deleted. */
  #stop(): readonly Job[] {
    const left = this.#jobs.slice(this.#from);
    this.#from = this.#jobs.length;
    this.#isStopped = true;
    bringBack(left);
    return left;
  }

  async #goOn(): Promise<void> {
    while (!this.#isStopped && this.#from < this.#jobs.length) await this.slice();
    if (this.#isStopped) this.#stop();
  }
}

/** Shows jobs again that were not deleted. */
function bringBack(jobs: readonly Job[]): void {
  const pending = usePendingDeletions.getState();
  const back = jobs.filter(({ key }) => pending.has(key));
  applyReportedJobs();
  dropPending(back.map(({ key }) => key));
  useJobs.getState().unhide(back);
}

/** Space can be freed even if the bin has none. */
function forGoodAction(jobs: readonly Job[]): { action: { label: string; onSelect: () => void } } {
  return { action: { label: deletionText.forGood, onSelect: () => useRefusedByBin.setState({ jobs }) } };
}

/**
 * Restores jobs from the bin. Those of `known`, which were in the list before, are shown immediately. Returns whether
 * all are in the history again; if not, a toast says why.
 */
export async function restoreJobs(keys: readonly string[], known: readonly Job[] = []): Promise<boolean> {
  let missing = 0;
  for (let from = 0; from < keys.length; from += maxBinned) {
    const slice = keys.slice(from, from + maxBinned);
    const result = await call('bin:restore', { keys: slice });
    if (!result.ok) {
      toast(`${restoredText.couldNotRestore(keys.length - from)} ${result.failure.message}`);
      return false;
    }
    missing += result.value.missing;
    const restored = new Set(result.value.keys);
    applyReportedJobs();
    dropPending(result.value.keys);
    useJobs.getState().unhide(known.filter(({ key }) => restored.has(key)));
  }
  if (missing > 0) toast(restoredText.missing(missing));
  return missing === 0;
}
