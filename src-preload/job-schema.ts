import { z } from 'zod';

/** What main checks submissions against; the words are in job.ts. */
export const operation = z.enum(['run', 'runsync']);

export const policy = z.object({
  executionTimeout: z.number().int().min(5_000).max(604_800_000).optional(),
  lowPriority: z.boolean().optional(),
  ttl: z.number().int().min(10_000).max(604_800_000).optional(),
});

export const submissionDraft = z.object({
  connectionId: z.string(),
  endpointId: z.string(),
  operation,
  inputText: z.string(),
  /** runsync only; milliseconds. */
  waitMs: z.number().int().min(1_000).max(300_000).optional(),
  policy: policy.optional(),
  webhook: z.string().max(2000).optional(),
  /** Reference to an S3Profile; the secret joins only on the wire. */
  s3ProfileId: z.string().optional(),
  /** Shown in the list; made from the input when absent. */
  title: z.string().max(200).optional(),
  tags: z.array(z.string().max(40)).max(20).optional(),
  /** False: its stream is not read while nobody watches it, only once when the job is over. */
  isKeptWhole: z.boolean().optional(),
});
