import { create } from 'zustand';
import type { BackupProgress, MergedJobs, OpenedBackup, RestoredBackup } from '../../src-preload/backup.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { formatBytes, formatCountOf } from '../../src-preload/format.ts';
import { call, on } from '../bridge.ts';
import { callOrSay, orSay } from '../call-or-say.ts';
import { toast } from '../design/toast.tsx';
import { useJobs } from '../data/jobs-store.ts';

interface BackupState {
  /** How far what is under way is; null while nothing is. */
  progress: BackupProgress | null;
  /** A file that was checked, for the user to say what becomes of it. */
  opened: OpenedBackup | null;
  /** The last restore, as long as it can be undone. */
  restored: RestoredBackup | null;
  /** Why the last thing asked for was not done. */
  problem: { title: string; text: string } | null;
}

/** Backups as this window shows them. The work goes on when the settings are closed. */
export const useBackup = create<BackupState>(() => ({ progress: null, opened: null, restored: null, problem: null }));

/** Follows what is under way, and reads what can be undone. Answers the function that ends it. */
export function followBackup(): () => void {
  void call('backup:restored', undefined).then((restored) => {
    if (restored.ok) useBackup.setState({ restored: restored.value });
    else orSay(restored);
  });
  return on('backup:progress', ({ progress }) => useBackup.setState({ progress }));
}

/** Asks where to, then has the history copied there. */
export async function backUp(): Promise<void> {
  useBackup.setState({ problem: null });
  const result = await call('backup:write', undefined);
  if (!result.ok) return refused('Could not back up', result.failure);
  if (result.value === null) return;
  const { jobs, bytes, path } = result.value;
  toast(`Backed up ${formatCountOf(jobs, 'job')}, ${formatBytes(bytes)}, to ${path}`, { glyph: 'done' });
}

/** Asks for a file and has it checked. Nothing is changed by it. */
export async function openBackup(): Promise<void> {
  useBackup.setState({ problem: null, opened: null });
  const result = await call('backup:open', undefined);
  if (!result.ok) return refused('Could not open the file', result.failure);
  useBackup.setState({ opened: result.value });
}

/** Leaves the checked file as it is. */
export async function closeBackup(): Promise<void> {
  useBackup.setState({ opened: null });
  orSay(await call('backup:close', undefined));
}

/** Adds the jobs of the checked file. */
export async function mergeBackup(): Promise<void> {
  useBackup.setState({ problem: null });
  const result = await call('backup:merge', undefined);
  // Jobs may have come anywhere in the list.
  await useJobs.getState().reload();
  if (!result.ok) return refused('The merge ended early', result.failure);
  useBackup.setState({ opened: null });
  toast(mergedText(result.value), { glyph: 'done' });
}

/** What a merge came to, in one sentence. */
function mergedText({ added, enriched }: MergedJobs): string {
  if (added === 0 && enriched === 0) return 'Nothing new: your history has all of its jobs';
  const parts = [
    ...(added === 0 ? [] : [`${formatCountOf(added, 'job')} added`]),
    ...(enriched === 0 ? [] : [`${formatCountOf(enriched, 'job')} updated`]),
  ];
  return parts.join(', ');
}

/** Puts the checked file in the place of the history; Jobdeck restarts. */
export async function restoreBackup(): Promise<void> {
  const result = await call('backup:restore', undefined);
  if (!result.ok) return refused('Could not restore', result.failure);
  useBackup.setState({ opened: null });
}

/** Puts back the history from before the restore; Jobdeck restarts. */
export async function undoRestore(): Promise<void> {
  const result = await call('backup:undoRestore', undefined);
  if (!result.ok) return refused('Could not undo the restore', result.failure);
  useBackup.setState({ restored: null });
}

/** Cancels the backup in progress. A failure is shown as a toast. */
export function cancelBackup(): void {
  callOrSay('backup:cancel', undefined);
}

function refused(title: string, { message }: Failure): void {
  useBackup.setState({ problem: { title, text: message } });
}
