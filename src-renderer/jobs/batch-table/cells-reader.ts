import type { JobCells } from '../../../src-preload/batch-table.ts';
import { maxCellsRead } from '../../../src-preload/bounds.ts';
import type { Failure, Result } from '../../../src-preload/failure.ts';
import { isLive, type Job } from '../../../src-preload/job.ts';
import type { ReadCells } from './batch-columns.ts';

/** The cells that are read so far. A new object after every change. */
export interface ReadState {
  cells: ReadonlyMap<string, ReadCells>;
  /** How many jobs are not read yet, or must be read again. Null: no jobs are wanted yet. */
  waiting: number | null;
  problem: Failure | null;
}

/** Reads the cells of jobs page by page, and again when a job's bodies have changed. */
export interface CellsReader {
  /** All jobs of the table. Those that left it are forgotten. */
  want: (jobs: readonly Job[]) => void;
  /** Reads again what could not be read. */
  retry: () => void;
  state: () => ReadState;
  subscribe: (listener: () => void) => () => void;
  close: () => void;
}

type ReadPage = (keys: string[]) => Promise<Result<{ cells: JobCells[]; passed: number }>>;

/** `read` is the call of main. It must not throw. */
export function createCellsReader(read: ReadPage): CellsReader {
  const cells = new Map<string, ReadCells>();
  /** What each job was like when its cells were read. */
  const readAs = new Map<string, string>();
  let wanted = new Map<string, string>();
  let problem: Failure | null = null;
  let isReading = false;
  let isClosed = false;
  let state: ReadState = { cells: new Map(), waiting: null, problem: null };
  const listeners = new Set<() => void>();

  const stale = (): string[] => [...wanted].filter(([key, as]) => readAs.get(key) !== as).map(([key]) => key);
  const changed = (): void => {
    state = { cells: new Map(cells), waiting: stale().length, problem };
    for (const listener of listeners) listener();
  };
  /** Reads the next page. Returns whether there is more to read. */
  const readPage = async (keys: string[]): Promise<boolean> => {
    const as = keys.map((key) => wanted.get(key));
    const answer = await read(keys);
    if (isClosed) return false;
    if (!answer.ok) {
      problem = answer.failure;
      return false;
    }
    for (const [at, key] of keys.slice(0, Math.max(1, answer.value.passed)).entries()) readAs.set(key, as[at] ?? '');
    for (const one of answer.value.cells) if (wanted.has(one.key)) cells.set(one.key, byPath(one));
    return true;
  };
  const readAll = async (): Promise<void> => {
    if (isReading || problem !== null) return;
    isReading = true;
    for (let keys = stale(); keys.length > 0; keys = stale()) {
      if (!(await readPage(keys.slice(0, maxCellsRead)))) break;
      changed();
    }
    isReading = false;
    if (!isClosed) changed();
  };

  return {
    want: (jobs) => {
      wanted = new Map(jobs.map((job) => [job.key, bodiesOf(job)]));
      let isOther = state.waiting !== stale().length;
      for (const key of cells.keys())
        if (!wanted.has(key)) {
          cells.delete(key);
          readAs.delete(key);
          isOther = true;
        }
      if (isOther) changed();
      if (stale().length > 0) void readAll();
    },
    retry: () => {
      problem = null;
      changed();
      void readAll();
    },
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      isClosed = true;
      listeners.clear();
    },
  };
}

/** Changes whenever other bodies may be saved for the job. Of a stream only its end counts. */
export function bodiesOf(job: Job): string {
  const { attempt, outputBytes, inputBytes, isResultSaved, outputForgottenAtMs, inputForgottenAtMs } = job;
  const chunks = isLive(job) ? 0 : job.chunkCount;
  const forgotten = `${outputForgottenAtMs ?? ''} ${inputForgottenAtMs ?? ''}`;
  return `${attempt} ${job.phase} ${outputBytes} ${inputBytes} ${isResultSaved} ${chunks} ${forgotten}`;
}

function byPath({ input, output, ...rest }: JobCells): ReadCells {
  return {
    ...rest,
    input: new Map(input.map((value) => [value.path, value])),
    output: new Map(output.map((value) => [value.path, value])),
  };
}
