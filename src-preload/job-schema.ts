import { z } from 'zod';
import { tagBounds } from './bounds.ts';
import { refusalText } from './messages/refusals.ts';
import { maxTitleChars, policyBounds, waitBounds } from './job-bounds.ts';

/** What main checks submissions against. The types are in job.ts. */
export const operation = z.enum(['run', 'runsync']);

const msWithin = ({ minMs, maxMs }: { minMs: number; maxMs: number }) => z.number().int().min(minMs).max(maxMs);

export const ttlMs = msWithin(policyBounds.ttl);

export const policy = z.object({
  executionTimeout: msWithin(policyBounds.executionTimeout).optional(),
  lowPriority: z.boolean().optional(),
  ttl: ttlMs.optional(),
});

/** One line, as lists show it. */
/** A job's tags, as the user sets them. */
export const jobTags = z.array(z.string().trim().min(1).max(tagBounds.maxChars)).max(tagBounds.max);

export const jobTitle = z
  .string()
  .transform((title) => title.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim())
  .pipe(z.string().min(1, refusalText.jobTitle).max(maxTitleChars, refusalText.jobTitleLength(maxTitleChars)));

export const submissionDraft = z.object({
  connectionId: z.string(),
  endpointId: z.string(),
  operation,
  inputText: z.string(),
  /** Only for runsync. Milliseconds. */
  waitMs: z.number().int().min(waitBounds.minMs).max(waitBounds.maxMs).optional(),
  policy: policy.optional(),
  webhook: z.string().max(2000).optional(),
  /** The id of an S3Profile. Its secret is added only to the request. */
  s3ProfileId: z.string().optional(),
  /** Shown in the list. Made from the input if absent. */
  title: z.string().max(maxTitleChars).optional(),
  tags: z.array(z.string().max(tagBounds.maxChars)).max(tagBounds.max).optional(),
  /** The job that this input comes from, unchanged or edited. */
  originKey: z.string().min(1).max(64).optional(),
  /** False: its stream is not read while it is off screen, only once when the job is over. */
  isKeptWhole: z.boolean().optional(),
});

/** What main checks judgements against. The types are in judgement.ts. */
export const mark = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)]);

const label = z
  .string()
  .trim()
  .max(60, refusalText.labelLength)
  .refine((text) => !/\p{Cc}/u.test(text), refusalText.labelLines);

export const judgementChange = z.object({ mark: mark.nullable().optional(), label: label.nullable().optional() });

/** The values of `mark:` in a filter: marks, and 0 for jobs without one. */
export const filteredMark = z.union([z.literal(0), mark]);
