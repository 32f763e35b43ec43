import { useCallback, useDeferredValue, useMemo } from 'react';
import { rowProblemsText, defaultBatchName } from '../../messages/composer/batch.ts';
import { submittedText } from '../../messages/composer/sheet.ts';
import { limitsOf } from '../batch-limit-fields.tsx';
import { toSubmission, type DraftCheck } from '../draft-check.ts';
import type { ComposerDraft } from '../composer-draft.ts';
import { useComposer } from '../composer-store.ts';
import { countUse } from '../presets/preset-actions.ts';
import type { Variable } from '../variables/variable.ts';
import { useBulk } from './bulk-store.ts';
import type { GoodInput } from './parsed-inputs.ts';
import { inputsOfRows, planRows, type RowsPlan } from './row-plan.ts';
import { submitInParts } from './submit-in-parts.ts';
import { reportBesideDraft, showBatch } from '../use-submit.ts';
import { engineNow } from '../../data/engine-time.ts';

const noRows: RowsPlan = { used: [], jobs: 0, problem: null };

/**
 * The inputs that the rows make, a moment later than the typing, because thousands of rows take longer than a frame.
 * Empty while one input is written.
 */
export function useRowsPlan(draft: ComposerDraft, isMany: boolean): RowsPlan {
  const good = useBulk((state) => state.parsed.good);
  const variables = useDeferredValue(draft.variables);
  return useMemo(() => (isMany ? planRows(good, variables) : noRows), [isMany, good, variables]);
}

/** Why a batch cannot be sent, or null. The single input's field is ignored. */
export function batchProblem(check: DraftCheck, plan: RowsPlan, isParsing: boolean): string | null {
  const problem = check.problems.find(({ field }) => field !== 'input');
  if (problem !== undefined) return problem.message;
  if (isParsing) return rowProblemsText.stillReading;
  return plan.jobs === 0 ? rowProblemsText.noRows : plan.problem;
}

/** Submits all rows, for a component. */
export function useSubmitBatch(draft: ComposerDraft, check: DraftCheck): () => Promise<void> {
  return useCallback(() => submitRows(draft, check), [draft, check]);
}

/**
 * Submits all rows and shows the batch, or shows which rows cannot be sent and keeps everything as typed. Does nothing
 * while a submission is in progress.
 */
export async function submitRows(draft: ComposerDraft, check: DraftCheck): Promise<void> {
  const sent = useBulk.getState();
  const { slot } = useComposer.getState();
  const { parsed, name, fileName, setProblem, setSubmitting } = sent;
  const plan = planRows(parsed.good, draft.variables);
  if (sent.isSubmitting || batchProblem(check, plan, sent.isParsing) !== null) return;
  setProblem(null);
  setSubmitting(true);
  const { inputText: _, ...common } = toSubmission(draft, check);
  /** The row of each input. */
  const rows: number[] = [];
  const result = await submitInParts(common, notingRows(parsed.good, draft.variables, rows), {
    name: name.trim() === '' ? defaultBatchName(fileName, engineNow()) : name.trim(),
    limits: limitsOf(draft),
  });
  setSubmitting(false);
  if (!result.ok) {
    showProblem(result.failure.message);
    return;
  }
  if (result.value.kind === 'refused') {
    // The row numbers are those of the rows that were sent.
    if (useBulk.getState().parsed === parsed)
      sent.leaveOut(result.value.rows.map((refused) => ({ ...refused, row: (rows[refused.row - 1] ?? 0) + 1 })));
    showProblem(rowProblemsText.refused);
    return;
  }
  countUse(draft.presetId);
  const { batch } = result.value;
  if (sent.submitted(sent) && useComposer.getState().slot === slot) {
    useComposer.getState().close();
    showBatch(batch);
    return;
  }
  reportBesideDraft(submittedText.jobs(batch.total, batch.name));
}

/** Shows why nothing was sent, even if the sheet was closed meanwhile. */
function showProblem(message: string): void {
  useBulk.getState().setProblem(message);
  if (!useComposer.getState().isOpen) reportBesideDraft(message);
}

function* notingRows(good: readonly GoodInput[], variables: readonly Variable[], rows: number[]): Generator<string> {
  for (const { row, inputText } of inputsOfRows(good, variables)) {
    rows.push(row);
    yield inputText;
  }
}
