import { emptyFilter } from '../../../src-preload/history.ts';
import type { Job, JobPhase } from '../../../src-preload/job.ts';
import type { History } from '../../history/history.ts';
import type { LedgerChange } from './ledger.ts';

/** How many saved jobs have an unknown outcome, and how many are orphaned. Both are not among the live jobs. */
export interface UnresolvedCounts {
  /** Counts those of earlier runs. Once, before anything is committed. */
  start(): Promise<void>;
  /** What was committed. */
  note(changes: readonly LedgerChange[]): void;
  /** Jobs that were deleted, in their last state. */
  removed(jobs: readonly Job[]): void;
  outcomeUnknown(): number;
  orphans(): number;
}

/** Counts of unknown outcomes and orphans, read once and kept up to date. */
export function createUnresolvedCounts(history: Pick<History, 'list'>): UnresolvedCounts {
  let outcomeUnknown = 0;
  let orphans = 0;
  const count = async (status: string): Promise<number> =>
    (await history.list({ ...emptyFilter, statuses: [status] }, null, 1)).total;
  const movedBy = ({ before, after }: LedgerChange, phase: JobPhase): number =>
    Number(after.phase === phase) - Number(before?.phase === phase);

  return {
    async start() {
      [outcomeUnknown, orphans] = await Promise.all([count('outcome_unknown'), count('orphaned')]);
    },
    note(changes) {
      for (const change of changes) {
        outcomeUnknown += movedBy(change, 'outcome-unknown');
        orphans += movedBy(change, 'orphaned');
      }
    },
    removed(jobs) {
      outcomeUnknown -= jobs.filter(({ phase }) => phase === 'outcome-unknown').length;
      orphans -= jobs.filter(({ phase }) => phase === 'orphaned').length;
    },
    outcomeUnknown: () => outcomeUnknown,
    orphans: () => orphans,
  };
}
