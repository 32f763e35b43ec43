import { noRows, type Batch, type BatchCounts } from '../../../../src-preload/batch.ts';

/** A batch with these rows and what the test sets. */
export function aBatch(counts: Partial<BatchCounts>, changes: Partial<Batch> = {}): Batch {
  const all = { ...noRows, ...counts };
  return {
    id: 'b1',
    name: 'Nightly',
    connectionId: 'c1',
    endpointId: 'echo',
    operation: 'run',
    createdAtMs: 0,
    total: Object.values(all).reduce((sum, count) => sum + count),
    isPaused: false,
    limits: { maxLive: null, stopAfterFailures: null },
    failuresLeft: null,
    counts: all,
    ...changes,
  };
}
