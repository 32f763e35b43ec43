import { z } from 'zod';
import { jobFilter, jobSort } from './history-schema.ts';
import { maxBatchRows } from './batch.ts';
import { maxCellsRead } from './bounds.ts';

/** What main checks exports against. The types are in export.ts. */
export const exportFormat = z.enum(['ndjson', 'csv', 'dataset', 'report']);

const key = z.string().min(1).max(64);

export const exportSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('jobs'), keys: z.array(key).min(1).max(100_000) }),
  z.object({ kind: z.literal('filter'), filter: jobFilter, sort: jobSort.nullable().default(null) }),
  z.object({ kind: z.literal('batch'), id: key }),
]);

/** The jobs whose cells are read. */
export const cellsOfJobs = z.object({ keys: z.array(key).min(1).max(maxCellsRead) });

/** The facts of a job that a table has. `executionTime` and `delayTime` are in milliseconds, `cost` in credits. */
const tableFacts = ['row', 'status', 'delayTime', 'executionTime', 'cost', 'mark', 'label', 'title', 'id'] as const;

export const tableFormat = z.enum(['csv', 'ndjson', 'json']);

export const tableColumn = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fact'), fact: z.enum(tableFacts) }),
  z.object({ kind: z.enum(['input', 'output']), path: z.string().max(1_000) }),
  z.object({ kind: z.literal('error') }),
]);

/** A table to save: its jobs in the order of the rows, and its columns. `name`: of the file, without its ending. */
export const tableToSave = z.object({
  keys: z.array(key).min(1).max(maxBatchRows),
  columns: z.array(tableColumn).min(1).max(500),
  format: tableFormat,
  name: z.string().min(1).max(200),
});
