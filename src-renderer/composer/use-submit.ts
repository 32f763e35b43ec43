import { useCallback } from 'react';
import type { RefusedRow, Batch } from '../../src-preload/batch.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { applyReportedJobs, useJobs } from '../data/jobs-store.ts';
import { submittedText } from '../messages/composer/sheet.ts';
import { gridText } from '../messages/composer/variables.ts';
import { limitsOf } from './batch-limit-fields.tsx';
import { submitInParts } from './bulk/submit-in-parts.ts';
import type { ComposerDraft } from './composer-draft.ts';
import { useComposerNotice } from './composer-notice.ts';
import { useComposer, type SentDraft } from './composer-store.ts';
import { toSubmission, type DraftCheck } from './draft-check.ts';
import { originOf } from './draft-slots.ts';
import { countUse } from './presets/preset-actions.ts';
import { inputAt } from './variables/variable-plan.ts';
import { engineNow } from '../data/engine-time.ts';
import type { Job } from '../../src-preload/job.ts';
import { toast } from '../design/toast.tsx';
import { commonText } from '../messages/common.ts';
import { goToJob, goToPlace } from '../navigation/go.ts';
import { openNewJob } from '../navigation/pane-tab.ts';
import { isMainWindow } from '../navigation/route.ts';

/** Shows the job that was just submitted. A window without the list says so, with the way to it. */
function showJob({ key, title }: Job): void {
  if (isMainWindow()) openNewJob(key);
  else offer(submittedText.job(title), () => goToJob(key));
}

/** Shows the rows of the batch that was just submitted, with no job open. */
export function showBatch(batch: Batch): void {
  const place = { view: 'all', endpointId: null, batchId: batch.id } as const;
  if (isMainWindow()) {
    useJobs.getState().closeDetail();
    useJobs.getState().setPlace(place);
  } else offer(submittedText.jobs(batch.total, batch.name), () => goToPlace(place));
}

/** Shows a message about a draft that is no longer in the sheet: in the sheet, which hides toasts, or as a toast. */
export function reportBesideDraft(message: string): void {
  if (useComposer.getState().isOpen) useComposerNotice.getState().show({ title: message, actions: [] });
  else toast(message);
}

function offer(title: string, show: () => void): void {
  toast(title, { action: { label: commonText.show, onSelect: show } });
}

/** Why a submission was refused. */
interface Refusal {
  message: string;
  field: string | null;
}

/** What happens to the sheet after a submission: it closes and the job opens, or it stays as it is. */
export type AfterSubmit = 'open' | 'stay';

/** Submits the draft, for a component. */
export function useSubmit(draft: ComposerDraft, check: DraftCheck): (after: AfterSubmit) => Promise<void> {
  return useCallback((after) => submitDraft(draft, check, after), [draft, check]);
}

/**
 * Submits the job, or the batch that its variables make, and closes the sheet unless it is to stay. On a failure it
 * shows why and keeps everything as typed. Does nothing while a submission is in progress.
 */
export async function submitDraft(draft: ComposerDraft, check: DraftCheck, after: AfterSubmit): Promise<void> {
  const { slot, isSubmitting, setSubmitting } = useComposer.getState();
  if (check.problems.length > 0 || isSubmitting) return;
  setSubmitting(true);
  const sent = { slot, draft };
  const refusal = await (check.plan.jobs > 1 ? submitGrid(sent, check, after) : submitJob(sent, check, after));
  setSubmitting(false);
  if (refusal === null) countUse(draft.presetId);
  else showRefusal(slot, refusal);
}

async function submitJob({ slot, draft }: SentDraft, check: DraftCheck, after: AfterSubmit): Promise<Refusal | null> {
  const result = await call('job:submit', { ...toSubmission(draft, check), ...originOf(slot) });
  if (!result.ok) return refusalOf(result.failure);
  applyReportedJobs();
  if (after === 'open' && useComposer.getState().submitted({ slot, draft })) showJob(result.value);
  else showSubmittedToast(submittedText.job(result.value.title));
  return null;
}

async function submitGrid({ slot, draft }: SentDraft, check: DraftCheck, after: AfterSubmit): Promise<Refusal | null> {
  const { inputText: _, ...common } = toSubmission(draft, check);
  const varied = check.plan.used.filter(({ values }) => values.length > 1);
  const name = gridText.batchName(
    varied.map(({ variable }) => variable.name),
    engineNow(),
  );
  const result = await submitInParts({ ...common, ...originOf(slot) }, inputsOf(draft.inputText, check), {
    name,
    limits: limitsOf(draft),
  });
  if (!result.ok) return refusalOf(result.failure);
  if (result.value.kind === 'refused') return { message: refusedText(result.value.rows), field: 'input' };
  if (after === 'open' && useComposer.getState().submitted({ slot, draft })) {
    showBatch(result.value.batch);
    return null;
  }
  showSubmittedToast(submittedText.jobs(check.plan.jobs, name));
  return null;
}

/** Shows why a submission was refused: with its draft, or where the user is now. */
function showRefusal(slot: string, refusal: Refusal): void {
  const now = useComposer.getState();
  if (now.isOpen && now.slot === slot) now.setRefusal(refusal);
  else reportBesideDraft(refusal.message);
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
