import { create } from 'zustand';
import type { BackupProgress, OpenedBackup, RestoredBackup } from '../../src-preload/backup.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { call, on } from '../bridge.ts';
import { callOrReport, orReport } from '../call-or-report.ts';
import { toast } from '../design/toast.tsx';
import { useJobs } from '../data/jobs-store.ts';
import { backupWorkText } from '../messages/settings/backup-work.ts';

interface BackupState {
  /** The progress of the work that is running. Null if none is. */
  progress: BackupProgress | null;
  /** A checked file. The user chooses what to do with it. */
  opened: OpenedBackup | null;
  /** The last restore, while it can be undone. */
  restored: RestoredBackup | null;
  /** Why the last request failed. */
  problem: { title: string; text: string } | null;
}

/** Backups as this window shows them. The work continues when the settings are closed. */
export const useBackup = create<BackupState>(() => ({ progress: null, opened: null, restored: null, problem: null }));

let isFollowed = false;

/**
 * Reads what can be undone, and listens to the progress from now on, because the work continues while the settings are
 * closed.
 */
export function followBackup(): void {
  if (!isFollowed) on('backup:progress', ({ progress }) => useBackup.setState({ progress }));
  isFollowed = true;
  void call('backup:restored', undefined).then((restored) => {
    if (restored.ok) useBackup.setState({ restored: restored.value });
    else orReport(restored);
  });
}

/** Asks for a file, then copies the history to it. */
export async function backUp(): Promise<void> {
  useBackup.setState({ problem: null });
  const result = await call('backup:write', undefined);
  if (!result.ok) return refused(backupWorkText.couldNotBackUp, result.failure);
  if (result.value === null) return;
  toast(backupWorkText.backedUp(result.value), { glyph: 'done' });
}

/** Asks for a file and checks it. Nothing is changed. */
export async function openBackup(): Promise<void> {
  useBackup.setState({ problem: null, opened: null });
  const result = await call('backup:open', undefined);
  if (!result.ok) return refused(backupWorkText.couldNotOpen, result.failure);
  useBackup.setState({ opened: result.value });
}

/** Closes the checked file without using it. */
export async function closeBackup(): Promise<void> {
  useBackup.setState({ opened: null });
  orReport(await call('backup:close', undefined));
}

/** Adds the jobs of the checked file. */
export async function mergeBackup(): Promise<void> {
  useBackup.setState({ problem: null });
  const result = await call('backup:merge', undefined);
  // The merged jobs may belong anywhere in the list.
  await useJobs.getState().reload();
  if (!result.ok) return refused(backupWorkText.couldNotMerge, result.failure);
  useBackup.setState({ opened: null });
  toast(backupWorkText.merged(result.value), { glyph: 'done' });
}

/** Replaces the history with the checked file. Jobdeck restarts. */
export async function restoreBackup(): Promise<void> {
  const result = await call('backup:restore', undefined);
  if (!result.ok) return refused(backupWorkText.couldNotRestore, result.failure);
  useBackup.setState({ opened: null });
}

/** Restores the history from before the restore. Jobdeck restarts. */
export async function undoRestore(): Promise<void> {
  const result = await call('backup:undoRestore', undefined);
  if (!result.ok) return refused(backupWorkText.couldNotUndo, result.failure);
  useBackup.setState({ restored: null });
}

/** Cancels the backup in progress. A failure is shown as a toast. */
export function cancelBackup(): void {
  callOrReport('backup:cancel', undefined);
}

function refused(title: string, { message }: Failure): void {
  useBackup.setState({ problem: { title, text: message } });
}
