import { create } from 'zustand';
import type { Batch } from '../../src-preload/batch.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { toast, undoAction } from '../design/toast.tsx';
import { renameBatchText } from '../messages/batches.ts';

interface RenameBatchRequest {
  /** The batch that gets another name. */
  batch: Batch | null;
  ask: (batch: Batch) => void;
  close: () => void;
}

/** Asks for another name of a batch. The dialog is in `rename-batch-dialog.tsx`. */
export const useRenameBatch = create<RenameBatchRequest>((set) => ({
  batch: null,
  ask: (batch) => set({ batch }),
  close: () => set({ batch: null }),
}));

/** Renames a batch, and offers to undo that. Returns why it could not, or null. */
export async function renameBatch({ id, name: former }: Batch, name: string): Promise<Failure | null> {
  if (name === former) return null;
  const renamed = await call('batch:rename', { id, name });
  if (!renamed.ok) return renamed.failure;
  toast(renameBatchText.renamed, {
    action: undoAction(
      () =>
        void call('batch:rename', { id, name: former }).then((undone) => {
          if (!undone.ok) toast(renameBatchText.couldNotUndo(undone.failure.message));
        }),
    ),
  });
  return null;
}

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
