import { z } from 'zod';
import { refusalText } from './messages/refusals.ts';
import { maxBatchNameChars, maxBatchRows } from './batch.ts';
import { submissionDraft } from './job-schema.ts';

/** What main checks a batch against; see {@link BatchDraft}. */
const batchDraft = submissionDraft.omit({ inputText: true, title: true });

const limit = z.number().int().min(1).max(maxBatchRows).nullable();

const inputs = z.array(z.string()).max(maxBatchRows, refusalText.batchRows(maxBatchRows));

/** The name of a batch. */
export const batchName = z.string().trim().min(1, refusalText.batchName).max(maxBatchNameChars);

/**
 * `inputs`: JSON texts, one per row, sent unchanged. `isStaged`: they come after the inputs that this window sent
 * before with `batch:stage`, because thirty megabytes in one message would block both sides.
 */
export const batchRequest = z.object({
  draft: batchDraft,
  inputs,
  isStaged: z.boolean().optional(),
  limits: z.object({ maxLive: limit, stopAfterFailures: limit }).optional(),
  name: batchName,
});

/** The first inputs of a batch or, if `isFirst` is false, further ones. */
export const batchStage = z.object({ isFirst: z.boolean(), inputs });

/** What all rows of a batch have in common. */
export type BatchDraft = z.infer<typeof batchDraft>;

/** `inputs`: JSON texts, one per row, sent unchanged. */
export type BatchRequest = z.infer<typeof batchRequest>;
