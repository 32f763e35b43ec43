import { z } from 'zod';

const text = z.string();
const cellValue = z.strictObject({
  path: text,
  kind: z.enum(['string', 'number', 'word', 'array', 'object']),
  text,
  isCut: z.boolean(),
});

/** The answers about the table of a batch, for one completed job. */
export const batchTableShapes = {
  'batch:cells': z.strictObject({
    cells: z
      .array(
        z.strictObject({
          key: text,
          input: z.array(cellValue).min(1),
          output: z.array(cellValue).min(1),
          error: z.null(),
          hasImage: z.literal(false),
          isOutputCut: z.literal(false),
        }),
      )
      .length(1),
    passed: z.literal(1),
  }),
  'batch:image': z.null(),
  'table:save': z.strictObject({ path: text.endsWith('.json'), jobs: z.literal(1) }),
};
