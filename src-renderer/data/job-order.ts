import { activityOf, statusWordOf } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';

/** Where the jobs of a list stand: in runs that are in order by their keys, or as the engine gave them. */
export interface JobOrder {
  /** Whether the order is given, by the pages as they come; a list whose order changes is emptied. */
  setGiven: (isGiven: boolean) => void;
  isGiven: () => boolean;
  /** Whether runs are oldest first, as the rows of a batch are read; a list whose direction changes is emptied. */
  setOldestFirst: (isOldestFirst: boolean) => void;
  isOldestFirst: () => boolean;
  /** Adds a key behind those there are; nothing where the order is not given. */
  append: (key: string) => void;
  /** Puts a job where it belongs; nothing where the order is given. */
  place: (job: Job) => void;
  /** Whether a job that is there stands where it belongs. */
  isInPlace: (job: Job) => boolean;
  drop: (key: string) => void;
  clear: () => void;
  live: () => readonly string[];
  rest: () => readonly string[];
}

/** The runs of keys a list is made of, in the order they stand. */
const runs = ['running', 'queued', 'unknown', 'toSend', 'over', 'rest'] as const;
type Run = (typeof runs)[number];

function runOf(job: Job): Run {
  const activity = activityOf({ phase: job.phase, word: statusWordOf(job) });
  return activity === 'sending' ? 'toSend' : (activity ?? 'rest');
}

/** Place of `key` in keys that are sorted newest first, or oldest first. */
function placeOf(keys: readonly string[], key: string, isOldestFirst: boolean): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = keys[middle];
    if (at !== undefined && at !== key && at < key === isOldestFirst) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An empty order of job keys. */
export function createJobOrder(): JobOrder {
  const keysOf: Record<Run, string[]> = { running: [], queued: [], unknown: [], toSend: [], over: [], rest: [] };
  /** The live runs one after the other; made again when one changed. */
  let live: readonly string[] | null = null;
  let given: string[] | null = null;
  let isOldestFirst = false;
  const insert = (keys: string[], key: string): void => {
    const at = placeOf(keys, key, isOldestFirst);
    if (keys[at] !== key) keys.splice(at, 0, key);
  };
  const drop = (keys: string[], key: string): void => {
    const at = placeOf(keys, key, isOldestFirst);
    if (keys[at] === key) keys.splice(at, 1);
  };
  return {
    setGiven: (isGiven) => {
      given = isGiven ? [] : null;
    },
    isGiven: () => given !== null,
    setOldestFirst: (is) => {
      isOldestFirst = is;
    },
    isOldestFirst: () => isOldestFirst,
    append: (key) => void given?.push(key),
    place: (job) => {
      if (given !== null) return;
      const run = runOf(job);
      for (const other of runs) if (other !== run) drop(keysOf[other], job.key);
      insert(keysOf[run], job.key);
      live = null;
    },
    isInPlace: (job) => {
      const keys = keysOf[runOf(job)];
      return given !== null || keys[placeOf(keys, job.key, isOldestFirst)] === job.key;
    },
    drop: (key) => {
      for (const run of runs) drop(keysOf[run], key);
      if (given !== null) given = given.filter((other) => other !== key);
      live = null;
    },
    clear: () => {
      for (const run of runs) keysOf[run].length = 0;
      if (given !== null) given = [];
      live = null;
    },
    live: () => (live ??= runs.flatMap((run) => (run === 'rest' ? [] : keysOf[run]))),
    rest: () => given ?? keysOf.rest,
  };
}
