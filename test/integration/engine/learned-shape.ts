import { z } from 'zod';

const text = z.string();
const count = z.number().int().min(0);

const startingPoint = z.strictObject({ jobKey: text, keys: count, finishedAtMs: z.number() });

/** The answer of `job:learnedInputs`. */
export const learnedInputs = z.strictObject({
  jobs: count.positive(),
  keys: z
    .array(
      z.strictObject({
        path: z.array(text).min(1),
        types: z.array(z.enum(['string', 'number', 'boolean', 'null', 'list', 'object'])).min(1),
        count: count.positive(),
        values: z.array(z.strictObject({ json: text, count: count.positive() })),
        range: z.strictObject({ min: z.number(), max: z.number() }).nullable(),
      }),
    )
    .min(1),
  smallest: startingPoint,
  last: startingPoint,
});
