import type { JobCells } from '../../../src-preload/batch-table.ts';
import { maxCellsRead } from '../../../src-preload/bounds.ts';
import type { Failure, Result } from '../../../src-preload/failure.ts';
import { isLive, type Job } from '../../../src-preload/job.ts';
import type { ReadCells } from './batch-columns.ts';

/** The cells that are read so far. A new object after every change that is reported. */
export interface ReadState {
  /** Always the same map, which grows. A value made of it is kept for the state, not for the map. */
  cells: ReadonlyMap<string, ReadCells>;
  /** How many jobs are not read yet, or must be read again. Null: no jobs are wanted yet. */
  waiting: number | null;
  problem: Failure | null;
}

/** Reads the cells of jobs page by page, and again when a job's bodies have changed. */
export interface CellsReader {
  /** All jobs of the table. Those that left it are forgotten. */
  want: (jobs: readonly Job[]) => void;
  /** The jobs on screen, which are read before the others. */
  showFirst: (keys: readonly string[]) => void;
  /** Reads again what could not be read. */
  retry: () => void;
  state: () => ReadState;
  subscribe: (listener: () => void) => () => void;
  close: () => void;
}

type ReadPage = (keys: string[]) => Promise<Result<{ cells: JobCells[]; passed: number }>>;

/** Nothing is on screen before the first page, so that has no more rows than fit on one. */
export const firstCellsRead = 40;
/** A page for rows that are not on screen is reported with later ones, so often at most. */
export const reportEveryMs = 250;

/** `read` is the call of main. It must not throw. `nowMs`: any clock that only advances. */
export function createCellsReader(read: ReadPage, nowMs: () => number): CellsReader {
  const cells = new Map<string, ReadCells>();
  /** What each job was like when its cells were read. */
  const readAs = new Map<string, string>();
  let wanted = new Map<string, string>();
  /** Those of `wanted` that are not read as they are now, in the same order. */
  let stale = new Set<string>();
  let onScreen: readonly string[] = [];
  let problem: Failure | null = null;
  let isReading = false;
  let isClosed = false;
  let state: ReadState = { cells, waiting: null, problem: null };
  let reportedAtMs = -Infinity;
  const listeners = new Set<() => void>();

  const changed = (): void => {
    reportedAtMs = nowMs();
    state = { cells, waiting: stale.size, problem };
    for (const listener of listeners) listener();
  };
  const nextKeys = (): string[] => {
    const max = readAs.size === 0 ? firstCellsRead : maxCellsRead;
    const next = new Set(onScreen.filter((key) => stale.has(key)).slice(0, max));
    for (const key of stale) {
      if (next.size >= max) break;
      next.add(key);
    }
    return [...next];
  };
  /** Reads the next page. Returns whether that worked. */
  const readPage = async (keys: string[]): Promise<boolean> => {
    const as = keys.map((key) => wanted.get(key));
    const answer = await read(keys);
    if (isClosed) return false;
    if (!answer.ok) {
      problem = answer.failure;
      return false;
    }
    for (const [at, key] of keys.slice(0, Math.max(1, answer.value.passed)).entries()) {
      if (!wanted.has(key)) continue;
      readAs.set(key, as[at] ?? '');
      // It may have changed meanwhile.
      if (wanted.get(key) === as[at]) stale.delete(key);
    }
    for (const one of answer.value.cells) if (wanted.has(one.key)) cells.set(one.key, byPath(one));
    return true;
  };
  const readAll = async (): Promise<void> => {
    if (isReading || problem !== null) return;
    isReading = true;
    while (stale.size > 0) {
      const keys = nextKeys();
      if (!(await readPage(keys))) break;
      const isShown = onScreen.length === 0 || keys.some((key) => onScreen.includes(key));
      if (stale.size > 0 && (isShown || nowMs() - reportedAtMs >= reportEveryMs)) changed();
    }
    isReading = false;
    if (!isClosed) changed();
  };

  return {
    want: (jobs) => {
      wanted = new Map(jobs.map((job) => [job.key, bodiesOf(job)]));
      stale = new Set([...wanted].flatMap(([key, as]) => (readAs.get(key) === as ? [] : [key])));
      let isOther = state.waiting !== stale.size;
      for (const key of readAs.keys())
        if (!wanted.has(key)) {
          cells.delete(key);
          readAs.delete(key);
          isOther = true;
        }
      if (isOther) changed();
      if (stale.size > 0) void readAll();
    },
    showFirst: (keys) => {
      onScreen = keys;
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

/** By job, as it is: a change of a job is another object. */
const bodiesOfJobs = new WeakMap<Job, string>();

/** Changes whenever other bodies may be saved for the job. Of a stream only its end counts. */
export function bodiesOf(job: Job): string {
  const known = bodiesOfJobs.get(job);
  if (known !== undefined) return known;
  const bodies = describeBodies(job);
  bodiesOfJobs.set(job, bodies);
  return bodies;
}

function describeBodies(job: Job): string {
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
