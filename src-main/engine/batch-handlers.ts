import { mostBatchRows, batchStateOf } from '../../src-preload/batch.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import { reasonText } from '../../src-preload/messages/job-reason.ts';
import { failed, ok, type Failure, type Result } from '../../src-preload/failure.ts';
import type { Jobs } from '../job/jobs.ts';
import { open, rename, rm } from 'node:fs/promises';
import { errorText } from '../async/error-text.ts';
import type { History } from '../history/history.ts';
import type { BatchRow } from '../history/records.ts';

type BatchCall = Exclude<Extract<keyof Handlers, `batch:${string}`>, 'batch:export'>;

const tooManyRows: Failure = {
  kind: 'refused',
  field: 'inputs',
  message: `A batch has at most ${mostBatchRows.toLocaleString('en-US')} rows. Submit the rest as another one.`,
};

/** The contract's calls about batches, but for the one that needs a dialog. */
export interface BatchCalls {
  handlers: Pick<Handlers, BatchCall>;
  /** What the window staged and never submitted is let go. */
  windowClosed: (windowId: number) => void;
}

export function createBatchCalls({ batches }: Pick<Jobs, 'batches'>): BatchCalls {
  const staged = new Map<number, string[]>();

  return {
    handlers: {
      'batch:stage': ({ isFirst, inputs }, { windowId }) => {
        const all = isFirst ? [] : (staged.get(windowId) ?? []);
        if (all.length + inputs.length > mostBatchRows) {
          staged.delete(windowId);
          return failed(tooManyRows);
        }
        for (const input of inputs) all.push(input);
        staged.set(windowId, all);
        return ok(null);
      },
      'batch:submit': (request, { windowId }) => {
        const before = request.isStaged === true ? (staged.get(windowId) ?? []) : [];
        staged.delete(windowId);
        const inputs = [...before, ...request.inputs];
        if (inputs.length === 0)
          return failed({ kind: 'refused', field: 'inputs', message: 'There is no row to submit.' });
        if (inputs.length > mostBatchRows) return failed(tooManyRows);
        return batches.submit({ ...request, inputs });
      },
      'batch:list': ({ connectionId }) => batches.list(connectionId),
      'batch:pause': ({ id }) => batches.setPaused(id, true),
      'batch:resume': ({ id }) => batches.setPaused(id, false),
      'batch:withdraw': ({ id }) => batches.withdraw(id),
      'batch:submitFailed': ({ id }) => batches.submitFailed(id),
    },
    windowClosed: (windowId) => void staged.delete(windowId),
  };
}

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
function lineOf({ job, inputText, outputText, errorText }: BatchRow): string {
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
