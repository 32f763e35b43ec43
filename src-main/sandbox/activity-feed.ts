import type { RequestLogEntry } from './server/request-log.ts';

/** An answered request for the watcher. `atMs` is real time, whatever the service's clock. */
export interface SeenRequest extends RequestLogEntry {
  atMs: number;
}

/** Workers and waiting jobs of one endpoint. */
export interface EndpointActivity {
  endpointId: string;
  running: number;
  idle: number;
  starting: number;
  inQueue: number;
}

/** What is reported about a running sandbox. */
export type Activity =
  /** `missed`: how many more there were that came too fast, or are too old, to be shown. */
  { type: 'requests'; requests: SeenRequest[]; missed: number } | { type: 'workers'; workers: EndpointActivity[] };

export interface ActivityFeedParts {
  readWorkers: () => EndpointActivity[];
  post: (activity: Activity) => void;
  /** Real time, epoch milliseconds. */
  now: () => number;
  /** Calls `run` every `everyMs` until the returned function is called. */
  every: (everyMs: number, run: () => void) => () => void;
}

export interface ActivityFeed {
  /** Adds an answered request. */
  note(entry: RequestLogEntry): void;
  /** While watched, new requests are posted in batches. Otherwise they are only kept. */
  watch(isWatched: boolean): void;
  close(): void;
}

/** The most requests in a batch, and the most that are kept while not watched. */
export const MOST_IN_BATCH = 1_000;
const BATCH_EVERY_MS = 100;
/** Worker counts need not be as frequent as requests. */
const WORKERS_EVERY_BATCHES = 3;

/** Collects what is shown, at a bounded cost: a sandbox under load must not spend its time on reporting. */
export function createActivityFeed({ readWorkers, post, now, every }: ActivityFeedParts): ActivityFeed {
  let waiting: SeenRequest[] = [];
  let missed = 0;
  let batches = 0;
  let lastWorkers = '';
  let stop: (() => void) | null = null;

  function trim(): void {
    if (waiting.length <= MOST_IN_BATCH) return;
    missed += waiting.length - MOST_IN_BATCH;
    waiting = waiting.slice(-MOST_IN_BATCH);
  }

  function postRequests(): void {
    trim();
    if (waiting.length === 0) return;
    post({ type: 'requests', requests: waiting, missed });
    waiting = [];
    missed = 0;
  }

  function postWorkers(): void {
    const workers = readWorkers();
    const text = JSON.stringify(workers);
    if (text === lastWorkers) return;
    lastWorkers = text;
    post({ type: 'workers', workers });
  }

  function tick(): void {
    postRequests();
    if (batches % WORKERS_EVERY_BATCHES === 0) postWorkers();
    batches += 1;
  }

  return {
    note(entry) {
      waiting.push({ ...entry, atMs: now() });
      // Cut at twice the limit, so that not every request under load copies the list.
      if (waiting.length >= 2 * MOST_IN_BATCH) trim();
    },
    watch(isWatched) {
      if (isWatched === (stop !== null)) return;
      stop?.();
      stop = null;
      if (!isWatched) return;
      lastWorkers = '';
      batches = 0;
      tick();
      stop = every(BATCH_EVERY_MS, tick);
    },
    close() {
      stop?.();
      stop = null;
    },
  };
}
