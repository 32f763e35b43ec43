import { failedRows, type Batch } from '../../src-preload/batch.ts';
import { emptyFilter } from '../../src-preload/history.ts';
import { call } from '../bridge.ts';
import { askIfMany } from '../data/bulk-question.ts';
import { toast } from '../design/toast.tsx';
import { isSamePress } from '../data/same-press.ts';
import { keysMatching, markAllSeen } from '../data/whole-list.ts';
import { batchActionText } from '../messages/batches.ts';
import { goToPlace } from '../navigation/go.ts';

/** Shows a batch's rows, or only those with one of `statuses`. */
export function showBatch(id: string, statuses: readonly string[] = []): void {
  const tokens = statuses.map((value) => ({ field: 'status' as const, value }));
  goToPlace({ view: 'all', endpointId: null, batchId: id }, { tokens, text: '' });
}

/** Pauses or resumes a batch. A failure is shown as a toast. */
export async function setBatchPaused(batch: Batch, isPaused: boolean): Promise<void> {
  const result = await call(isPaused ? 'batch:pause' : 'batch:resume', { id: batch.id });
  if (!result.ok) toast(result.failure.message, { glyph: 'fail' });
}

/** Marks all rows of a batch as seen. */
export async function markBatchSeen(batch: Batch): Promise<void> {
  const found = await keysMatching({ ...emptyFilter, batchId: batch.id });
  if (found.ok) await markAllSeen(found.value.keys);
  else toast(found.failure.message, { glyph: 'fail' });
}

/** Submits the failed rows as a new batch, after a question if they are many, and shows that batch. */
export async function submitFailedAgain(batch: Batch): Promise<void> {
  if (isSamePress(batch.id)) return;
  const { connectionId, endpointId, operation } = batch;
  const endpoints = [{ connectionId, endpointId, operation, jobs: failedRows(batch) }];
  await askIfMany('resubmit', endpoints, () => sendFailedAgain(batch));
}

async function sendFailedAgain(batch: Batch): Promise<void> {
  const result = await call('batch:submitFailed', { id: batch.id });
  if (!result.ok) {
    toast(result.failure.message, { glyph: 'fail' });
    return;
  }
  if (result.value.kind === 'refused') {
    toast(batchActionText.notSent(result.value.rows[0]?.message ?? null), { glyph: 'fail' });
    return;
  }
  showBatch(result.value.batch.id);
}
