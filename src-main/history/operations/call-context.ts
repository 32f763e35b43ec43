import type { JobFilter } from '../../../src-preload/history.ts';
import { historyRefusalText } from '../../messages/history.ts';
import type { Bin } from '../bin/bin.ts';
import type { PageCache } from '../file/cache.ts';
import { isSearchDamage } from '../file/index-file.ts';
import type { JobCounter } from '../jobs/counts.ts';
import type { StagedRows } from '../jobs/staged-rows.ts';
import type { DatabaseSync } from 'node:sqlite';
import type { IndexLink } from '../search/index-link.ts';

/** What a call uses: the open database, its index and counts, and the time at which it was made. */
export interface CallContext {
  db: DatabaseSync;
  index: Pick<IndexLink, 'beforeSearch' | 'damaged' | 'settle'>;
  counter: JobCounter;
  cache: Pick<PageCache, 'forBatch'>;
  stagedRows: StagedRows;
  bin: Bin;
  nowMs: number;
  /** Local midnight, epoch milliseconds. */
  startOfTodayMs: number;
}

/** Runs `work`. If the filter has words, everything committed until now is first made searchable. */
export function searched<T>({ index, nowMs }: CallContext, filter: JobFilter, work: () => T): T {
  if (filter.text === '') return work();
  try {
    index.beforeSearch(nowMs);
    return work();
  } catch (error) {
    if (!isSearchDamage(error)) throw error;
    index.damaged();
    throw new Error(historyRefusalText.searchDamaged, { cause: error });
  }
}
