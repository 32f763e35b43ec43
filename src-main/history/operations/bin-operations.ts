import type { BinPage, BinPlace, BinUse } from '../../../src-preload/bin.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { TimeSpan } from '../../time/clock-record.ts';
import type { MergeConnection } from '../backup/merge-rule.ts';
import type { MergedPage } from '../backup/merge.ts';
import type { ExpiredStep } from '../bin/bin.ts';
import type { CallContext } from './call-context.ts';

/** The bin of deleted jobs; see bin/bin.ts. Jobs are moved there by `binJob`. */
export const binOperations = {
  /** Some jobs after a place (null: from the last deleted), the last deleted first. */
  binPage: ({ bin, nowMs }: CallContext, after: BinPlace | null, limit: number): BinPage =>
    bin.page(after, limit, nowMs),
  binUse: ({ bin, nowMs }: CallContext): BinUse => bin.use(nowMs),
  /** Keys of up to `limit` jobs after `afterKey`, in order. */
  binKeys: ({ bin, nowMs }: CallContext, afterKey: string, limit: number): string[] => bin.keys(afterKey, limit, nowMs),
  /** Merges jobs into the history, up to `lastKey` of the answer. Those of `live` are merged one by one. */
  restoreBinned: ({ bin, nowMs }: CallContext, keys: string[], connections: MergeConnection[]): MergedPage =>
    bin.restore(keys, connections, nowMs),
  /** Merges a job that is live in the history. Null if it had nothing new. */
  restoreLiveBinned: ({ bin, nowMs }: CallContext, key: string, connections: MergeConnection[]): Job | null =>
    bin.restoreLive(key, connections, nowMs),
  /** Deletes jobs for good. */
  removeBinned: ({ bin, nowMs }: CallContext, keys: string[]): void => bin.remove(keys, nowMs),
  emptyBin: ({ bin, nowMs }: CallContext): void => bin.empty(nowMs),
  /** Deletes some of the jobs for good that were deleted before `tooOldMs`. */
  expireBinned: ({ bin, nowMs }: CallContext, tooOldMs: number, excluded: TimeSpan[]): ExpiredStep =>
    bin.expire(tooOldMs, excluded, nowMs),
};
