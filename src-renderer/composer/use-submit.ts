import { useCallback, useRef } from 'react';
import type { RefusedRow } from '../../src-preload/batch.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { useJobs } from '../data/jobs-store.ts';
import { limitsOf } from './batch-limit-fields.tsx';
import { showBatch, submitInParts } from './bulk/submit-in-parts.ts';
import type { ComposerDraft } from './composer-draft.ts';
import { useComposer } from './composer-store.ts';
import { toSubmission, type DraftCheck } from './draft-check.ts';
import { originOf } from './draft-slots.ts';
import { countUse } from './presets/preset-actions.ts';
import { gridName, refusedRowsText } from './variables/variable-messages.ts';
import { inputAt } from './variables/variable-plan.ts';

/** Why a submission was not taken, or null where it was. */
type Refusal = { message: string; field: string | null } | null;

/**
 * Journals the job, or the batch that its variables make, and closes the sheet; or says why not and keeps everything as
 * typed.
 */
export function useSubmit(draft: ComposerDraft, check: DraftCheck): () => Promise<void> {
  const { setRefusal, setSubmitting } = useComposer();
  const isUnderWay = useRef(false);
  return useCallback(async () => {
    if (check.problems.length > 0 || isUnderWay.current) return;
    isUnderWay.current = true;
    setSubmitting(true);
    const refusal = await (check.plan.jobs > 1 ? submitGrid(draft, check) : submitJob(draft, check));
    isUnderWay.current = false;
    setSubmitting(false);
    if (refusal === null) countUse(draft.presetId);
    else setRefusal(refusal);
  }, [draft, check, setRefusal, setSubmitting]);
}

async function submitJob(draft: ComposerDraft, check: DraftCheck): Promise<Refusal> {
  const { slot, submitted } = useComposer.getState();
  const result = await call('job:submit', { ...toSubmission(draft, check), ...originOf(slot) });
  if (!result.ok) return refusalOf(result.failure);
  submitted();
  useJobs.getState().apply([result.value]);
  useJobs.getState().select(result.value.key);
  return null;
}

async function submitGrid(draft: ComposerDraft, check: DraftCheck): Promise<Refusal> {
  const { inputText: _, ...common } = toSubmission(draft, check);
  const result = await submitInParts(
    { ...common, ...originOf(useComposer.getState().slot) },
    inputsOf(draft.inputText, check),
    { name: gridName(check.plan, Date.now()), limits: limitsOf(draft) },
  );
  if (!result.ok) return refusalOf(result.failure);
  if (result.value.kind === 'refused') return { message: refusedText(result.value.rows), field: 'input' };
  useComposer.getState().submitted();
  showBatch(result.value.batch);
  return null;
}

function* inputsOf(text: string, { plan }: DraftCheck): Generator<string> {
  for (let index = 0; index < plan.jobs; index += 1) yield inputAt(text, plan, index);
}

function refusedText(rows: readonly RefusedRow[]): string {
  return refusedRowsText(rows.length, rows[0]?.row ?? 1, rows[0]?.message ?? '');
}

function refusalOf(failure: Failure): Refusal {
  return { message: failure.message, field: 'field' in failure ? (failure.field ?? null) : null };
}
