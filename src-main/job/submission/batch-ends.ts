import { isBatchLive, type Batch } from '../../../src-preload/batch.ts';

/** Sees when the last row of a batch has ended, once. A batch that goes on again (a retried row) ends again. */
export interface BatchEnds {
  /** Takes batches as they now stand. Answers those that ended since they were last noted. */
  note(batches: readonly Batch[]): Batch[];
}

export function createBatchEnds(): BatchEnds {
  const live = new Set<string>();
  return {
    note: (batches) =>
      batches.filter((batch) => {
        if (isBatchLive(batch)) {
          live.add(batch.id);
          return false;
        }
        // Rows of a removed connection have not ended: nobody knows of them.
        return live.delete(batch.id) && batch.counts['orphaned'] === 0;
      }),
  };
}
