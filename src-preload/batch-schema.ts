import { z } from 'zod';
import { mostBatchRows } from './batch.ts';
import { submissionDraft } from './job-schema.ts';

/** What main checks a batch against; see {@link BatchDraft}. */
export const batchDraft = submissionDraft.omit({ inputText: true, title: true });

export const batchRequest = z.object({
  draft: batchDraft,
  inputs: z.array(z.string()).min(1, 'There is nothing to submit').max(mostBatchRows, `A batch has at most ${mostBatchRows} rows`),
  name: z.string().trim().min(1, 'The batch needs a name').max(120),
});
