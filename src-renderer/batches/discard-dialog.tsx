import { create } from 'zustand';
import type { Batch } from '../../src-preload/batch.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { discardRowsText } from '../messages/batches.ts';
import { commonText } from '../messages/common.ts';
import { withdrawBatch } from './batch-actions.ts';
import { useBatch } from './batches.ts';

interface DiscardDialogState {
  /** The batch whose unsent rows may be discarded. */
  batchId: string | null;
  ask: (batch: Batch) => void;
  close: () => void;
}

export const useDiscardDialog = create<DiscardDialogState>((set) => ({
  batchId: null,
  ask: ({ id }) => set({ batchId: id }),
  close: () => set({ batchId: null }),
}));

/** Asks before the unsent rows of a batch are discarded. Mounted once. */
export function DiscardDialog() {
  const { batchId, close } = useDiscardDialog();
  const batch = useBatch(batchId ?? undefined);
  if (batch === null) return null;
  const toSend = batch.counts.waiting;
  return (
    <Dialog
      title={discardRowsText.title(toSend)}
      isOpen={toSend > 0}
      onClose={close}
      actions={
        <>
          <Button autoFocus onClick={close}>
            {commonText.cancel}
          </Button>
          <Button
            variant="danger-solid"
            onClick={() => {
              close();
              void withdrawBatch(batch);
            }}
          >
            {discardRowsText.discard}
          </Button>
        </>
      }
    >
      {discardRowsText.hint}
    </Dialog>
  );
}
