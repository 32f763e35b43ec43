import { mostBatchRows } from '../../src-preload/batch.ts';
import type { BatchRequest, BatchSubmission } from '../../src-preload/batch.ts';
import type { Failure, Result } from '../../src-preload/failure.ts';
import type { Job, SubmissionDraft } from '../../src-preload/job.ts';

/** What submitting jobs again came to. `failure`: why not all of them. */
export interface SubmittedAgain {
  keys: string[];
  failure: Failure | null;
}

/**
 * Submits each job again by itself, with its own settings, in their order. One that cannot be (its input is not known
 * here) is left out; anything else that goes wrong ends it.
 */
export async function submitAsJobs(keys: readonly string[], resubmit: (key: string) => Promise<Result<Job>>): Promise<SubmittedAgain> {
  const taken: string[] = [];
  let failure: Failure | null = null;
  for (const key of keys) {
    const job = await resubmit(key);
    if (job.ok) {
      taken.push(key);
      continue;
    }
    failure ??= job.failure;
    if (job.failure.kind !== 'refused') break;
  }
  return { keys: taken, failure };
}

/** Submits the jobs' inputs as a batch; as several where their settings differ, because a batch has one set of them. */
export async function submitAsBatches(
  keys: readonly string[],
  parts: { name: string; draftOf: (key: string) => Promise<Result<SubmissionDraft>>; submit: (request: BatchRequest) => Promise<Result<BatchSubmission>> },
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
  const taken: string[] = [];
  for (const group of groups.values()) {
    for (let from = 0; from < group.keys.length; from += mostBatchRows) {
      const submission = await parts.submit({ name: parts.name, draft: group.draft, inputs: group.inputs.slice(from, from + mostBatchRows) });
      if (!submission.ok) return { keys: taken, failure: submission.failure };
      if (submission.value.kind === 'refused') return { keys: taken, failure: { kind: 'refused', message: submission.value.rows[0]?.message ?? 'The rows were refused.' } };
      taken.push(...group.keys.slice(from, from + mostBatchRows));
    }
  }
  return { keys: taken, failure };
}
