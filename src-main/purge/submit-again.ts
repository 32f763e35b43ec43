import { maxBatchRows, type BatchSubmission } from '../../src-preload/batch.ts';
import type { BatchRequest } from '../../src-preload/batch-schema.ts';
import type { Failure, Result } from '../../src-preload/failure.ts';
import type { Job, SubmissionDraft } from '../../src-preload/job.ts';
import { submitAgainText } from '../messages/purge.ts';

/** The result of submitting jobs again. `failure`: why some of them were not submitted. */
export interface SubmittedAgain {
  keys: string[];
  failure: Failure | null;
}

/**
 * Submissions are recorded after this many, so that if Jobdeck ends in the middle, no more than these are offered
 * again.
 */
const notedAtOnce = 25;

/**
 * Submits each job again as a job of its own with its own settings, in order. A job whose input is not saved is left
 * out; any other failure stops it. `note` is called with all submitted jobs, soon after they were submitted.
 */
export async function submitAsJobs(
  keys: readonly string[],
  {
    resubmit,
    note,
  }: { resubmit: (key: string) => Promise<Result<Job>>; note: (keys: readonly string[]) => Promise<void> },
): Promise<SubmittedAgain> {
  const submitted: string[] = [];
  let noted = 0;
  let failure: Failure | null = null;
  const noteRest = async (): Promise<void> => {
    const rest = submitted.slice(noted);
    noted = submitted.length;
    if (rest.length > 0) await note(rest);
  };
  try {
    for (const key of keys) {
      const job = await resubmit(key);
      if (job.ok) {
        submitted.push(key);
        if (submitted.length - noted >= notedAtOnce) await noteRest();
        continue;
      }
      failure ??= job.failure;
      if (job.failure.kind !== 'refused') break;
    }
  } finally {
    await noteRest();
  }
  return { keys: submitted, failure };
}

/**
 * Submits the jobs' inputs as a batch, or as several if their settings differ, because a batch has one set of them.
 * `note` is called with each batch before the next one is submitted.
 */
export async function submitAsBatches(
  keys: readonly string[],
  parts: {
    name: string;
    draftOf: (key: string) => Promise<Result<SubmissionDraft>>;
    submit: (request: BatchRequest, originKeys: readonly string[]) => Promise<Result<BatchSubmission>>;
    note: (keys: readonly string[]) => Promise<void>;
  },
): Promise<SubmittedAgain> {
  let failure: Failure | null = null;
  const groups = new Map<string, { draft: BatchRequest['draft']; keys: string[]; inputs: string[] }>();
  for (const key of keys) {
    const draft = await parts.draftOf(key);
    if (!draft.ok) {
      if (draft.failure.kind !== 'refused') return { keys: [], failure: draft.failure };
      failure ??= draft.failure;
      continue;
    }
    // Each row gets the title of its own input.
    const { inputText, title: _title, ...settings } = draft.value;
    const id = JSON.stringify(settings);
    const group = groups.get(id) ?? { draft: settings, keys: [], inputs: [] };
    group.keys.push(key);
    group.inputs.push(inputText);
    groups.set(id, group);
  }
  const submitted: string[] = [];
  for (const group of groups.values()) {
    for (let from = 0; from < group.keys.length; from += maxBatchRows) {
      const rows = group.keys.slice(from, from + maxBatchRows);
      const inputs = group.inputs.slice(from, from + maxBatchRows);
      const submission = await parts.submit({ name: parts.name, draft: group.draft, inputs }, rows);
      if (!submission.ok) return { keys: submitted, failure: submission.failure };
      if (submission.value.kind === 'refused')
        return {
          keys: submitted,
          failure: { kind: 'refused', message: submission.value.rows[0]?.message ?? submitAgainText.rowsRefused },
        };
      submitted.push(...rows);
      await parts.note(rows);
    }
  }
  return { keys: submitted, failure };
}
