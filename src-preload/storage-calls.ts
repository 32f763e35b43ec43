import type { MergedJobs, OpenedBackup, RestoredBackup, WrittenBackup } from './backup.ts';
import { call, nothing } from './call-spec.ts';
import { retentionRule } from './settings-schema.ts';
import type { ClockDoubt, Compacted, Forgettable, StorageUse } from './storage.ts';

/** The calls of the contract about what is stored, and its backups. */
export const storageCalls = {
  /** How much disk space the history takes. Computing it takes a few seconds for a large one. */
  'storage:use': call<StorageUse>()(nothing),
  /** What this retention rule would delete now. */
  'storage:wouldForget': call<Forgettable>()(retentionRule),
  /** Why nothing is deleted automatically: the clock of this computer is doubted. Null: it is not. */
  'storage:clockDoubt': call<ClockDoubt | null>()(nothing),
  /** The user confirms the date of this computer. The retention rule is applied immediately. */
  'storage:confirmClock': call<null>()(nothing),
  /** Rewrites the history's file without its free space. Everything waits meanwhile. */
  'storage:compact': call<Compacted>()(nothing),
  /** Copies the whole history to a file of the user's choice, while it is in use. Null if none was chosen. */
  'backup:write': call<WrittenBackup | null>()(nothing),
  'backup:cancel': call<null>()(nothing),
  /** Checks whether a file of the user's choice is a history. Null if none was chosen. Changes nothing. */
  'backup:open': call<OpenedBackup | null>()(nothing),
  'backup:close': call<null>()(nothing),
  /** Replaces the history with the checked file and sets the history aside. Jobdeck restarts for it. */
  'backup:restore': call<null>()(nothing),
  /** The last restore, while it can be undone. */
  'backup:restored': call<RestoredBackup | null>()(nothing),
  /** Restores the history that the last restore set aside. Jobdeck restarts for it. */
  'backup:undoRestore': call<null>()(nothing),
  /** Adds the jobs of the checked file, which may be another computer's history. Doing it twice changes nothing. */
  'backup:merge': call<MergedJobs>()(nothing),
} as const;
