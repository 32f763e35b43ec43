import { z } from 'zod';
import { jobFilter, jobSort } from './history-schema.ts';

/** What main checks exports against. The types are in export.ts. */
export const exportFormat = z.enum(['ndjson', 'csv', 'dataset', 'report']);

const key = z.string().min(1).max(64);

export const exportSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('jobs'), keys: z.array(key).min(1).max(100_000) }),
  z.object({ kind: z.literal('filter'), filter: jobFilter, sort: jobSort.nullable().default(null) }),
  z.object({ kind: z.literal('batch'), id: key }),
]);
