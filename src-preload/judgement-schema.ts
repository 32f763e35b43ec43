import { z } from 'zod';
import { refusalText } from './messages/refusals.ts';

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
