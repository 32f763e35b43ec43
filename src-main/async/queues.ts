/** Work that is done one after the other, in the order it was asked for. */
export interface SerialQueue {
  /** Does `work` after all that was asked for before, whether or not that failed; answers what `work` does. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing waits or is under way, also of what was asked for meanwhile. */
  idle(): Promise<void>;
}

/** `onFailure` hears of each failure, beside whoever asked for the work. */
export function createSerialQueue(onFailure: (error: unknown) => void = () => undefined): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const turn = last.then(work);
      last = turn.catch(onFailure);
      return turn;
    },
    async idle() {
      for (let before: unknown = null; before !== last;) await (before = last);
    },
  };
}

/** One serial queue for each key. Work of different keys is done at the same time. */
export interface KeyedQueue {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing of any key waits or is under way, also of what was asked for meanwhile. */
  idle(): Promise<void>;
}

/** A key is forgotten when nothing of it waits any more. */
export function createKeyedQueue(): KeyedQueue {
  const queues = new Map<string, { queue: SerialQueue; waiting: number }>();
  return {
    async run(key, work) {
      const entry = queues.get(key) ?? { queue: createSerialQueue(), waiting: 0 };
      queues.set(key, entry);
      entry.waiting += 1;
      try {
        return await entry.queue.run(work);
      } finally {
        entry.waiting -= 1;
        if (entry.waiting === 0) queues.delete(key);
      }
    },
    async idle() {
      while (queues.size > 0) await Promise.all([...queues.values()].map(({ queue }) => queue.idle()));
    },
  };
}

/** What is under way, by key: the same thing is not begun a second time meanwhile. */
export interface InFlight {
  has(key: string): boolean;
  /** Does `work` as long as nothing else of this key is under way; null, and nothing is done, where something is. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> | null;
}

export function createInFlight(): InFlight {
  const keys = new Set<string>();

  async function during<T>(key: string, work: () => Promise<T>): Promise<T> {
    keys.add(key);
    try {
      return await work();
    } finally {
      keys.delete(key);
    }
  }

  return {
    has: (key) => keys.has(key),
    run: (key, work) => (keys.has(key) ? null : during(key, work)),
  };
}

/** Reads that are shared: those that come together, and those that come soon after one another. */
export interface SharedReads<T> {
  /** What was read of `key` less than `freshForMs` ago or is being read; else it is read now. */
  read(key: string): Promise<T>;
  /** What was read of `key` does not hold any more. */
  drop(key: string): void;
  clear(): void;
}

/** A read that fails is shared by those that wait for it and then forgotten; so is a value that `isKept` denies. */
export function createSharedReads<T>({
  now,
  freshForMs,
  read,
  isKept = () => true,
}: {
  /** Milliseconds. */
  now: () => number;
  freshForMs: number;
  read: (key: string) => Promise<T>;
  isKept?: (value: T) => boolean;
}): SharedReads<T> {
  interface Entry {
    atMs: number;
    reading: Promise<T>;
  }
  const entries = new Map<string, Entry>();

  function forget(key: string, entry: Entry): void {
    if (entries.get(key) === entry) entries.delete(key);
  }

  return {
    read(key) {
      const known = entries.get(key);
      if (known !== undefined && now() - known.atMs < freshForMs) return known.reading;
      const entry: Entry = { atMs: now(), reading: read(key) };
      entries.set(key, entry);
      entry.reading.then(
        (value) => {
          if (!isKept(value)) forget(key, entry);
        },
        () => forget(key, entry),
      );
      return entry.reading;
    },
    drop: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}
