import { create } from 'zustand';
import { addPrinted, emptyPrinted } from '../../src-preload/printed.ts';
import type { PrintedBuffer, PrintedLine, PrintedLines } from '../../src-preload/printed.ts';
import { call, on } from '../bridge.ts';

/** Which printed lines are shown. Null: of all. */
export interface PrintedFilter {
  endpointId: string | null;
  /** Of this worker of the endpoint. */
  workerId: string | null;
  /** 'none': lines without a certain job. */
  job: { id: string } | 'none' | null;
}

export const noPrintedFilter: PrintedFilter = { endpointId: null, workerId: null, job: null };

interface PrintedView {
  buffer: PrintedBuffer;
  /** Lines up to this number were cleared. */
  clearedSeq: number;
  /** Whether the lines before this window were read: not yet, or not at all. */
  status: 'first' | 'ready' | 'failed';
  filter: PrintedFilter;
  setFilter: (filter: PrintedFilter) => void;
  clear: () => void;
}

/** What the window shows of what handlers print. Kept while the pane is closed. */
export const usePrinted = create<PrintedView>((set) => ({
  buffer: emptyPrinted,
  clearedSeq: 0,
  status: 'first',
  filter: noPrintedFilter,
  setFilter: (filter) => set({ filter }),
  clear: () =>
    set(({ buffer, clearedSeq }) => ({ buffer: emptyPrinted, clearedSeq: buffer.lines.at(-1)?.seq ?? clearedSeq })),
}));

/** Shows printed lines as they come, until the returned function is called. */
export function watchPrinted(): () => void {
  let isEnded = false;
  let isReady = false;
  const early: PrintedLines[] = [];
  const take = ({ lines, missed }: PrintedLines): void =>
    usePrinted.setState(({ buffer, clearedSeq }) => ({
      buffer: addPrinted(buffer, { lines: lines.filter(({ seq }) => seq > clearedSeq), missed }),
    }));
  const end = on('sandbox:linesPrinted', (batch) => {
    if (isReady) take(batch);
    else early.push(batch);
  });
  void call('sandbox:printed', undefined).then((last) => {
    if (isEnded) return;
    isReady = true;
    const { clearedSeq } = usePrinted.getState();
    if (last.ok) {
      usePrinted.setState({ buffer: emptyPrinted, status: 'ready' });
      // What was dropped before the list was cleared is no longer missing from it.
      take(clearedSeq === 0 ? last.value : { ...last.value, missed: 0 });
    } else usePrinted.setState({ status: 'failed' });
    early.forEach(take);
  });
  return () => {
    isEnded = true;
    end();
  };
}

/** The lines that pass the filter. */
export function shownLines(
  lines: readonly PrintedLine[],
  { endpointId, workerId, job }: PrintedFilter,
): readonly PrintedLine[] {
  if (endpointId === null && job === null) return lines;
  return lines.filter(
    (line) =>
      (endpointId === null || line.endpointId === endpointId) &&
      (workerId === null || line.workerId === workerId) &&
      (job === null || (job === 'none' ? line.jobId === null : line.jobId === job.id)),
  );
}

/** The workers and the jobs of these lines, those that printed last first. */
export function printersOf(lines: readonly PrintedLine[]): {
  workers: { endpointId: string; workerId: string }[];
  jobIds: string[];
} {
  const workers = new Map<string, { endpointId: string; workerId: string }>();
  const jobIds = new Set<string>();
  for (const { endpointId, workerId, jobId } of lines.toReversed()) {
    if (!workers.has(workerId)) workers.set(workerId, { endpointId, workerId });
    if (jobId !== null) jobIds.add(jobId);
  }
  return { workers: [...workers.values()], jobIds: [...jobIds] };
}
