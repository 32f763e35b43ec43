import { create } from 'zustand';
import { isStopped, type Batch } from '../../src-preload/batch.ts';
import { call } from '../bridge.ts';
import { useBatchList } from '../data/batch-list.ts';
import { undoMs } from '../data/delayed-removal.ts';
import { toast, undoAction } from '../design/toast.tsx';
import { discardRowsText } from '../messages/batches.ts';

/** The batches whose unsent rows are discarded when the time to undo has passed. */
const useDiscarding = create<ReadonlySet<string>>(() => new Set());

/** Whether the unsent rows of a batch are about to be discarded. */
export const useIsDiscarding = (id: string): boolean => useDiscarding((ids) => ids.has(id));
/** The same for now, outside of components. */
export const isDiscarding = (id: string): boolean => useDiscarding.getState().has(id);

const begin = (id: string): void => useDiscarding.setState((ids) => new Set([...ids, id]), true);
const end = (id: string): void => useDiscarding.setState((ids) => new Set([...ids].filter((one) => one !== id)), true);

/**
 * Holds the unsent rows of a batch back immediately, and discards them when the time to undo has passed. The pause is
 * on disk: if Jobdeck ends in between, the batch is paused, so nothing is sent and nothing is lost.
 */
export async function discardRows(batch: Batch): Promise<void> {
  if (isDiscarding(batch.id)) return;
  begin(batch.id);
  const held = await call('batch:pause', { id: batch.id });
  if (!held.ok) {
    end(batch.id);
    toast(discardRowsText.couldNotHold(held.failure.message), { glyph: 'fail' });
    return;
  }
  const rows = held.value.counts.waiting;
  if (rows === 0) {
    toast(discardRowsText.noneLeft);
    await goOn(batch);
    return;
  }
  toast(discardRowsText.discarded(rows), {
    shownMs: undoMs,
    action: undoAction(() => void goOn(batch)),
    onGone: () => void discardForGood(batch),
  });
}

/** As if nothing had been asked: a batch that was paused before, or that its failures stopped, stays so. */
async function goOn(before: Batch): Promise<void> {
  const now = useBatchList.getState().byId.get(before.id);
  if (before.isPaused || (now !== undefined && isStopped(now))) {
    end(before.id);
    return;
  }
  const result = await call('batch:resume', { id: before.id, isUndo: true });
  end(before.id);
  if (!result.ok) toast(discardRowsText.couldNotUndo(result.failure.message), { glyph: 'fail' });
}

async function discardForGood({ id }: Batch): Promise<void> {
  const result = await call('batch:withdraw', { id });
  end(id);
  if (!result.ok) toast(discardRowsText.couldNotDiscard(result.failure.message), { glyph: 'fail' });
}
