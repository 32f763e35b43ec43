import { useCallback, useRef } from 'react';
import type { BatchSubmission } from '../../../src-preload/batch.ts';
import type { BatchDraft } from '../../../src-preload/batch-schema.ts';
import type { Result } from '../../../src-preload/failure.ts';
import { call } from '../../bridge.ts';
import { takeBatches } from '../../data/batch-list.ts';
import { useJobs } from '../../data/jobs-store.ts';
import { toSubmission, type DraftCheck } from '../draft-check.ts';
import type { ComposerDraft } from '../composer-draft.ts';
import { useComposer } from '../composer-store.ts';
import { useBulk } from './bulk-store.ts';
import { defaultName } from './bulk-messages.ts';
import type { GoodInput } from './parsed-inputs.ts';

/**
 * The first thing that keeps a batch from being sent, or null. What is in the single input's field does not matter to
 * it.
 */
export function batchProblem(check: DraftCheck, rows: number, isParsing: boolean): string | null {
  const problem = check.problems.find(({ field }) => field !== 'input');
  if (problem !== undefined) return problem.message;
  if (isParsing) return 'The rows are still being read';
  return rows === 0 ? 'There are no rows to send' : null;
}

/** Journals all rows and shows the batch, or says which rows cannot be sent and keeps everything as typed. */
export function useSubmitBatch(draft: ComposerDraft, check: DraftCheck): () => Promise<void> {
  const isUnderWay = useRef(false);
  return useCallback(async () => {
    const { parsed, name, fileName, isParsing, setProblem, setSubmitting, leaveOut, submitted } = useBulk.getState();
    if (isUnderWay.current || batchProblem(check, parsed.good.length, isParsing) !== null) return;
    isUnderWay.current = true;
    setProblem(null);
    setSubmitting(true);
    const { inputText: _, ...common } = toSubmission(draft, check);
    const result = await submitInParts(
      common,
      parsed.good,
      name.trim() === '' ? defaultName(fileName, Date.now()) : name.trim(),
    );
    isUnderWay.current = false;
    setSubmitting(false);
    if (!result.ok) {
      setProblem(result.failure.message);
      return;
    }
    if (result.value.kind === 'refused') {
      leaveOut(result.value.rows);
      setProblem('Nothing was sent yet. The rows below are invalid: fix them, or submit the others without them.');
      return;
    }
    const { batch } = result.value;
    submitted();
    useComposer.getState().close();
    takeBatches([batch]);
    useJobs.getState().closeDetail();
    useJobs.getState().setPlace({ view: 'all', endpointId: null, batchId: batch.id });
  }, [draft, check]);
}

/** What goes over the bridge in one message: more would be felt. */
const atOnce = { rows: 500, chars: 400_000 };

/** Hands the rows over in small messages, the last of which submits them all. */
async function submitInParts(
  draft: BatchDraft,
  rows: readonly GoodInput[],
  name: string,
): Promise<Result<BatchSubmission>> {
  let inputs: string[] = [];
  let chars = 0;
  let isStaged = false;
  for (const { inputText } of rows) {
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
  return call('batch:submit', { draft, inputs, isStaged, name });
}
