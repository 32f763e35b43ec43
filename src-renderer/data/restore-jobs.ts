import { maxBinned } from '../../src-preload/bin.ts';
import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { restoredText } from '../messages/data/changes.ts';
import { toast } from '../design/toast.tsx';
import { applyReportedJobs, useJobs } from './jobs-store.ts';
import { dropPending } from './pending-deletions.ts';

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
