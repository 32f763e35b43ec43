import type { CellValue } from '../../../../../src-preload/batch-table.ts';
import type { Job } from '../../../../../src-preload/job.ts';
import type { BatchRow } from '../../../../../src-renderer/jobs/batch-table/batch-columns.ts';
import { aJob } from '../../../../kit/a-job.ts';

/** Values as main reads them of a flat JSON object. */
export function valuesOf(object: Readonly<Record<string, unknown>>): ReadonlyMap<string, CellValue> {
  return new Map(
    Object.entries(object).map(([path, value]) => [
      path,
      {
        path,
        kind: typeof value === 'number' ? 'number' : typeof value === 'string' ? 'string' : 'word',
        text: typeof value === 'string' ? value : JSON.stringify(value),
        isCut: false,
      },
    ]),
  );
}

/** A row whose cells are read. Without an output it still runs. */
export function aRow(
  row: number,
  input: Readonly<Record<string, unknown>>,
  output: Readonly<Record<string, unknown>> | null,
  job: Partial<Job> = {},
): BatchRow {
  const key = `key-${String(row).padStart(4, '0')}`;
  return {
    job: aJob({
      key,
      batchId: 'batch',
      batchRow: row,
      ...(output === null ? {} : { phase: 'finished', status: 'COMPLETED', finishedSeenAtMs: 9 }),
      ...job,
    }),
    cells: {
      key,
      input: valuesOf(input),
      output: valuesOf(output ?? {}),
      error: null,
      hasImage: false,
      isOutputCut: false,
    },
  };
}
