import { create } from 'zustand';
import type { Batch } from '../../src-preload/batch.ts';

interface CompareBatchRequest {
  /** The batch that another one is chosen for. */
  batchId: string | null;
  ask: (batch: Batch) => void;
  close: () => void;
}

/** Asks for the batch to compare with. The dialog is in `compare-batch-dialog.tsx`. */
export const useCompareBatch = create<CompareBatchRequest>((set) => ({
  batchId: null,
  ask: ({ id }) => set({ batchId: id }),
  close: () => set({ batchId: null }),
}));
