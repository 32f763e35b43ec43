import type { Job } from '../../../src-preload/job.ts';
import { call } from '../../bridge.ts';
import { createCellsReader, firstCellsRead, type CellsReader } from './cells-reader.ts';

interface BatchReader {
  batchId: string;
  reader: CellsReader;
}

/** The reader of the batch that was shown last. What it has read is there when the user returns to it. */
let kept: BatchReader | null = null;
/** The reader of a batch whose list is shown, which may be the next one. */
let ahead: BatchReader | null = null;

/** The reader of a batch that is shown as a table or as images. */
export function readerOf(batchId: string): CellsReader {
  if (kept?.batchId === batchId) return kept.reader;
  kept?.reader.close();
  kept = takeAhead(batchId) ?? aReader(batchId);
  return kept.reader;
}

/** What was read of a batch before it is shown. Null if that is nothing, or could not be read. */
function takeAhead(batchId: string): BatchReader | null {
  if (ahead === null || ahead.batchId !== batchId || ahead.reader.state().problem !== null) return null;
  const taken = ahead;
  ahead = null;
  return taken;
}

/** Reads the cells that a table of `jobs` begins with, before it is opened. At most once for each batch. */
export function readFirstCells(batchId: string, jobs: readonly Job[]): void {
  if (kept?.batchId === batchId || ahead?.batchId === batchId) return;
  ahead?.reader.close();
  ahead = aReader(batchId);
  ahead.reader.want(jobs.slice(0, firstCellsRead));
}

function aReader(batchId: string): BatchReader {
  const reader = createCellsReader(
    (keys) => call('batch:cells', { keys }),
    () => performance.now(),
  );
  return { batchId, reader };
}
