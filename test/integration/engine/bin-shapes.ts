import { z } from 'zod';

const count = z.number().int().nonnegative();
const use = { jobs: count, bytes: count, asidePath: z.null() };

/** The exact answers of the calls about deleted jobs. */
export function binShapes<T extends z.ZodType>(jobObject: T) {
  return {
    'job:delete': z.strictObject({
      deleted: z.array(z.string()).length(1),
      kept: z.array(z.strictObject({ key: z.string(), reason: z.string().min(1) })).length(1),
      isBinRefused: z.literal(false),
    }),
    'bin:use': z.strictObject(use),
    'bin:list': z.strictObject({
      ...use,
      rows: z.array(z.strictObject({ job: jobObject, deletedAtMs: count })),
      next: z.strictObject({ deletedAtMs: count, id: z.int() }).nullable(),
    }),
    'bin:restore': z.strictObject({ keys: z.array(z.string()).length(1), missing: z.literal(1) }),
    'bin:delete': z.null(),
  } as const;
}
