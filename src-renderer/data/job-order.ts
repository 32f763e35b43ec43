import { activityOf, statusWordOf } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import { firstIndex } from '../../src-preload/first-index.ts';

/** The order of a list's jobs: in groups sorted by key, or as the engine returned them. */
export interface JobOrder {
  /** Whether the order is that of the pages as they come. A change empties the list. */
  setGiven: (isGiven: boolean) => void;
  isGiven: () => boolean;
  /** Whether groups are oldest first, as the rows of a batch are. A change empties the list. */
  setOldestFirst: (isOldestFirst: boolean) => void;
  isOldestFirst: () => boolean;
  /** Adds a key at the end. Does nothing unless the order is given. */
  append: (key: string) => void;
  /** Puts a job where it belongs; nothing where the order is given. True where no other key has another place by it. */
  place: (job: Job) => boolean;
  /** Whether a job of the list is in its place. */
  isInPlace: (job: Job) => boolean;
  drop: (key: string) => void;
  clear: () => void;
  live: () => readonly string[];
  rest: () => readonly string[];
}

/** The groups of keys that make the list, in their order. */
const runs = ['running', 'queued', 'unknown', 'toSend', 'over', 'rest'] as const;
type Run = (typeof runs)[number];

function runOf(job: Job): Run {
  const activity = activityOf({ phase: job.phase, word: statusWordOf(job) });
  return activity === 'sending' ? 'toSend' : (activity ?? 'rest');
}

/** The index of `key` in keys that are sorted newest first or oldest first. */
function placeOf(keys: readonly string[], key: string, isOldestFirst: boolean): number {
  return firstIndex(keys.length, (index) => {
    const at = keys[index];
    return at !== undefined && at !== key && at < key === isOldestFirst;
  });
}

/** An empty order of job keys. */
export function createJobOrder(): JobOrder {
  const keysOf: Record<Run, string[]> = { running: [], queued: [], unknown: [], toSend: [], over: [], rest: [] };
  /** The live groups joined; made again after a change. */
  let live: readonly string[] | null = null;
  let given: string[] | null = null;
  let isOldestFirst = false;
  /** Whether it came behind all others. */
  const insert = (keys: string[], key: string): boolean => {
    const at = placeOf(keys, key, isOldestFirst);
    if (keys[at] !== key) keys.splice(at, 0, key);
    return at === keys.length - 1;
  };
  /** Whether it was there. */
  const drop = (keys: string[], key: string): boolean => {
    const at = placeOf(keys, key, isOldestFirst);
    if (keys[at] !== key) return false;
    keys.splice(at, 1);
    return true;
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
      if (given !== null) return true;
      const run = runOf(job);
      const former = runs.filter((other) => other !== run && drop(keysOf[other], job.key));
      const isLast = insert(keysOf[run], job.key);
      const isOfRest = run === 'rest' && former.length === 0;
      if (!isOfRest) live = null;
      return isOfRest && isLast;
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
