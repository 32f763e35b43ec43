import type { Batch, BatchCounts } from '../../../../src-preload/batch.ts';

/** A batch with these rows and what the test sets. */
export function aBatch(counts: Partial<BatchCounts>, changes: Partial<Batch> = {}): Batch {
  const all = {
    waiting: 0,
    sending: 0,
    active: 0,
    completed: 0,
    failed: 0,
    cancelled: 0,
    refused: 0,
    unknown: 0,
    gone: 0,
    orphaned: 0,
    ...counts,
  };
  return {
    id: 'b1',
    name: 'Nightly',
    connectionId: 'c1',
    endpointId: 'echo',
    operation: 'run',
    createdAtMs: 0,
    total: Object.values(all).reduce((sum, count) => sum + count),
    isPaused: false,
    limits: { mostLive: null, stopAfterFailures: null },
    failuresLeft: null,
    counts: all,
    ...changes,
  };
}
