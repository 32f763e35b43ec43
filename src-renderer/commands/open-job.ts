import type { Job } from '../../src-preload/job.ts';
import { keptAnswer } from '../data/calls.ts';
import { useJobs } from '../data/jobs-store.ts';
import { useDeletedJobs } from '../data/pending-deletions.ts';
import { useShell } from '../navigation/shell-store.ts';

/** The job that is open beside the list of the main window, even if the list does not have it. Null: none. */
export function openJob(): Job | null {
  const { selectedKey, list, isDetailOpen } = useJobs.getState();
  if (selectedKey === null || !isDetailOpen || useShell.getState().pane.kind !== 'jobs') return null;
  // It was opened by its key in the time to undo its deletion.
  if (useDeletedJobs.getState().has(selectedKey)) return null;
  return list.get(selectedKey) ?? keptAnswer('job:get', { key: selectedKey })?.job ?? null;
}
