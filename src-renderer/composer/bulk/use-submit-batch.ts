import { useCallback, useRef } from 'react';
import { limitsOf } from '../batch-limit-fields.tsx';
import { toSubmission, type DraftCheck } from '../draft-check.ts';
import type { ComposerDraft } from '../composer-draft.ts';
import { useComposer } from '../composer-store.ts';
import { useBulk } from './bulk-store.ts';
import { defaultName } from './bulk-messages.ts';
import { showBatch, submitInParts } from './submit-in-parts.ts';

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
      parsed.good.map(({ inputText }) => inputText),
      {
        name: name.trim() === '' ? defaultName(fileName, Date.now()) : name.trim(),
        limits: limitsOf(draft),
      },
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
    submitted();
    useComposer.getState().close();
    showBatch(result.value.batch);
  }, [draft, check]);
}
