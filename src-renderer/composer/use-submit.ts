import { useCallback, useRef } from 'react';
import type { RefusedRow } from '../../src-preload/batch.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { takeBatches } from '../data/batch-list.ts';
import { useJobs } from '../data/jobs-store.ts';
import { submittedText } from '../messages/composer/sheet.ts';
import { gridText } from '../messages/composer/variables.ts';
import { limitsOf } from './batch-limit-fields.tsx';
import { submitInParts } from './bulk/submit-in-parts.ts';
import type { ComposerDraft } from './composer-draft.ts';
import { useComposerNotice } from './composer-notice.ts';
import { useComposer } from './composer-store.ts';
import { toSubmission, type DraftCheck } from './draft-check.ts';
import { originOf } from './draft-slots.ts';
import { countUse } from './presets/preset-actions.ts';
import { showBatch, showJob } from './show-submitted.ts';
import { inputAt } from './variables/variable-plan.ts';
import { engineNow } from '../data/engine-time.ts';

/** Why a submission was refused, or null. */
type Refusal = { message: string; field: string | null } | null;

/** What happens to the sheet after a submission: it closes and the job opens, or it stays as it is. */
export type AfterSubmit = 'open' | 'stay';

/**
 * Submits the job, or the batch that its variables make, and closes the sheet unless it is to stay. On a failure it
 * shows why and keeps everything as typed.
 */
export function useSubmit(draft: ComposerDraft, check: DraftCheck): (after: AfterSubmit) => Promise<void> {
  const setRefusal = useComposer((state) => state.setRefusal);
  const setSubmitting = useComposer((state) => state.setSubmitting);
  const isSubmitting = useRef(false);
  return useCallback(
    async (after) => {
      if (check.problems.length > 0 || isSubmitting.current) return;
      isSubmitting.current = true;
      setSubmitting(true);
      const refusal = await (check.plan.jobs > 1 ? submitGrid(draft, check, after) : submitJob(draft, check, after));
      isSubmitting.current = false;
      setSubmitting(false);
      if (refusal === null) countUse(draft.presetId);
      else setRefusal(refusal);
    },
    [draft, check, setRefusal, setSubmitting],
  );
}

async function submitJob(draft: ComposerDraft, check: DraftCheck, after: AfterSubmit): Promise<Refusal> {
  const { slot, submitted } = useComposer.getState();
  const result = await call('job:submit', { ...toSubmission(draft, check), ...originOf(slot) });
  if (!result.ok) return refusalOf(result.failure);
  useJobs.getState().apply([result.value]);
  if (after === 'stay') {
    showSubmittedToast(submittedText.job(result.value.title));
    return null;
  }
  submitted();
  showJob(result.value);
  return null;
}

async function submitGrid(draft: ComposerDraft, check: DraftCheck, after: AfterSubmit): Promise<Refusal> {
  const { inputText: _, ...common } = toSubmission(draft, check);
  const varied = check.plan.used.filter(({ values }) => values.length > 1);
  const name = gridText.batchName(
    varied.map(({ variable }) => variable.name),
    engineNow(),
  );
  const result = await submitInParts(
    { ...common, ...originOf(useComposer.getState().slot) },
    inputsOf(draft.inputText, check),
    { name, limits: limitsOf(draft) },
  );
  if (!result.ok) return refusalOf(result.failure);
  if (result.value.kind === 'refused') return { message: refusedText(result.value.rows), field: 'input' };
  if (after === 'stay') {
    takeBatches([result.value.batch]);
    showSubmittedToast(submittedText.jobs(check.plan.jobs, name));
    return null;
  }
  useComposer.getState().submitted();
  showBatch(result.value.batch);
  return null;
}

function showSubmittedToast(title: string): void {
  useComposerNotice.getState().show({ title, detail: submittedText.next, actions: [] });
}

function* inputsOf(text: string, { plan }: DraftCheck): Generator<string> {
  for (let index = 0; index < plan.jobs; index += 1) yield inputAt(text, plan, index);
}

function refusedText(rows: readonly RefusedRow[]): string {
  return submittedText.refused(rows.length, rows[0]?.row ?? 1, rows[0]?.message ?? '');
}

function refusalOf(failure: Failure): Refusal {
  return { message: failure.message, field: 'field' in failure ? (failure.field ?? null) : null };
}
