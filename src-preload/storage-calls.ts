import type { MergedJobs, OpenedBackup, RestoredBackup, WrittenBackup } from './backup.ts';
import { call, nothing } from './call-spec.ts';
import { retentionRule } from './settings-schema.ts';
import type { ClockDoubt, Compacted, Forgettable, StorageUse } from './storage.ts';
import { z } from 'zod';
import { maxBinned, type BinPage, type BinUse, type Restored } from './bin.ts';

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

const keys = z.array(z.string().min(1).max(64)).min(1).max(maxBinned);
const place = z.object({ deletedAtMs: z.number(), id: z.number().int() });

/** The calls of the contract about deleted jobs. Jobs are moved into the bin by `job:delete`. */
export const binCalls = {
  'bin:use': call<BinUse>()(nothing),
  /** Some jobs after a place, the last deleted first. */
  'bin:list': call<BinPage>()(z.object({ after: place.nullable(), limit: z.number().int().min(1).max(maxBinned) })),
  /** Restores jobs whole. Null: all. Those that are in the bin no longer are counted in the answer. */
  'bin:restore': call<Restored>()(z.object({ keys: keys.nullable() })),
  /** Deletes jobs for good. Null: all, and the bin's file with them. */
  'bin:delete': call<null>()(z.object({ keys: keys.nullable() })),
} as const;
