import { reasonText } from '../../src-preload/messages/job-reason.ts';
import { open, rename, rm } from 'node:fs/promises';
import { batchStateOf } from '../../src-preload/batch.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import type { History } from '../history/history.ts';
import type { BatchRow } from '../history/records.ts';

/** Rows asked of the history at once; fewer come where they are large. */
const pageRows = 200;

/**
 * Writes a batch to `path`, one JSON line a row, without ever holding more than a page of it. The file is there whole
 * or not at all.
 */
export async function exportBatch(
  history: Pick<History, 'batchRows'>,
  id: string,
  path: string,
): Promise<Result<{ path: string; rows: number }>> {
  const unfinished = `${path}.part`;
  try {
    const rows = await writeRows(history, id, unfinished);
    await rename(unfinished, path);
    return ok({ path, rows });
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    const detail = errorText(error);
    return failed({
      kind: 'storage',
      message: `The results could not be written to ${path}, and nothing is left there. ${detail}`,
    });
  }
}

async function writeRows(history: Pick<History, 'batchRows'>, id: string, path: string): Promise<number> {
  const file = await open(path, 'w');
  try {
    let count = 0;
    let afterKey: string | null = null;
    for (;;) {
      const page: BatchRow[] = await history.batchRows(id, afterKey, pageRows);
      const last = page.at(-1);
      if (last === undefined) return count;
      await file.writeFile(page.map((row) => `${lineOf(row)}\n`).join(''));
      count += page.length;
      afterKey = last.job.key;
    }
  } finally {
    await file.close();
  }
}

/**
 * One row: `{row, key, id, state, status, input, output, error, delayTime, executionTime}`. Input and output stand as
 * they were sent and came, so that large numbers keep their digits. `state` says what became of rows that the service
 * gave no status for.
 */
export function lineOf({ job, inputText, outputText, errorText }: BatchRow): string {
  const told = JSON.stringify({
    row: job.batchRow,
    key: job.key,
    id: job.jobId,
    state: batchStateOf(job),
    status: job.status,
  });
  const input = inputText === '' ? 'null' : onOneLine(inputText);
  const rest = JSON.stringify({
    error: errorText ?? (job.reason === null || batchStateOf(job) === 'completed' ? null : reasonText(job.reason)),
    delayTime: job.delayTimeMs,
    executionTime: job.executionTimeMs,
  });
  return (
    `${told.slice(0, -1)},"input":${input},"output":${outputText === null ? 'null' : onOneLine(outputText)},` +
    rest.slice(1)
  );
}

/** JSON holds no line break but as blank space between its parts. */
function onOneLine(json: string): string {
  return json.replaceAll(/[\r\n]+/g, ' ');
}
