import { z } from 'zod';

const backupFile = z.strictObject({
  path: z.string().endsWith('.db'),
  jobs: z.int().positive(),
  oldestMs: z.number(),
  newestMs: z.number(),
  bytes: z.int().positive(),
});

/** The answers of the calls about backups. */
export const backupShapes = {
  'backup:write': backupFile.nullable(),
  'backup:cancel': z.null(),
  'backup:open': backupFile.nullable(),
  'backup:merge': z.strictObject({ added: z.literal(0), enriched: z.literal(0), known: z.int().positive() }),
  'backup:close': z.null(),
  'backup:restored': z.null(),
  'backup:undoRestore': z.null(),
  'backup:restore': z.null(),
} as const;
