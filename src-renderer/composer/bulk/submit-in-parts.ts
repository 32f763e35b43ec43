import type { Batch, BatchLimits, BatchSubmission } from '../../../src-preload/batch.ts';
import type { BatchDraft } from '../../../src-preload/batch-schema.ts';
import type { Result } from '../../../src-preload/failure.ts';
import { call } from '../../bridge.ts';
import { takeBatches } from '../../data/batch-list.ts';
import { useJobs } from '../../data/jobs-store.ts';

/** Shows a batch that was just taken: its rows, and no single job. */
export function showBatch(batch: Batch): void {
  takeBatches([batch]);
  useJobs.getState().closeDetail();
  useJobs.getState().setPlace({ view: 'all', endpointId: null, batchId: batch.id });
}

/** What goes over the bridge in one message: more would be felt. */
const atOnce = { rows: 500, chars: 400_000 };

/**
 * Hands inputs over in small messages, the last of which submits them all as a batch. They are made one by one as they
 * are needed.
 */
export async function submitInParts(
  draft: BatchDraft,
  all: Iterable<string>,
  { name, limits }: { name: string; limits: BatchLimits },
): Promise<Result<BatchSubmission>> {
  let inputs: string[] = [];
  let chars = 0;
  let isStaged = false;
  for (const inputText of all) {
    if (inputs.length >= atOnce.rows || (inputs.length > 0 && chars + inputText.length > atOnce.chars)) {
      const staged = await call('batch:stage', { isFirst: !isStaged, inputs });
      if (!staged.ok) return staged;
      isStaged = true;
      inputs = [];
      chars = 0;
    }
    inputs.push(inputText);
    chars += inputText.length;
  }
  return call('batch:submit', { draft, inputs, isStaged, name, limits });
}
