/** Runs work one piece at a time, in the order it was added. */
export interface SerialQueue {
  /** Runs `work` after everything added before, whether or not that failed. Resolves or rejects as `work` does. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when the queue is empty and idle, including work added in the meantime. */
  idle(): Promise<void>;
}

/** `onFailure` is called for each failure, in addition to the caller's rejection. */
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

/**
 * One serial queue for each key. Work of different keys runs at the same time. A key is forgotten when its queue is
 * empty.
 */
export class KeyedQueue {
  readonly #queues = new Map<string, { queue: SerialQueue; waiting: number }>();

  /** Runs `work` after everything added under the same key. Resolves or rejects as `work` does. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const entry = this.#queues.get(key) ?? { queue: createSerialQueue(), waiting: 0 };
    this.#queues.set(key, entry);
    entry.waiting += 1;
    try {
      return await entry.queue.run(work);
    } finally {
      entry.waiting -= 1;
      if (entry.waiting === 0) this.#queues.delete(key);
    }
  }

  /** Whether work under this key waits or is in progress. */
  has(key: string): boolean {
    return this.#queues.has(key);
  }

  /** Resolves when no work of any key waits or is in progress, including work added in the meantime. */
  async idle(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all([...this.#queues.values()].map(({ queue }) => queue.idle()));
  }
}

/** Work in progress, so that closing can wait for it. */
export class WorkInProgress {
  readonly #all = new Set<Promise<unknown>>();

  /** Counts `work` until it settles, and returns it. */
  follow<T>(work: Promise<T>): Promise<T> {
    this.#all.add(work);
    const over = (): void => void this.#all.delete(work);
    work.then(over, over);
    return work;
  }

  /** Resolves when nothing is in progress, including work that began in the meantime. */
  async idle(): Promise<void> {
    while (this.#all.size > 0) await Promise.allSettled(this.#all);
  }
}

/** Work in progress, by key: the same work is not started twice at once. */
export class InFlight {
  readonly #keys = new Set<string>();

  /** Whether work under this key is in progress. */
  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Runs `work`; null, without running it, while other work under this key is in progress. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> | null {
    return this.#keys.has(key) ? null : this.#during(key, work);
  }

  async #during<T>(key: string, work: () => Promise<T>): Promise<T> {
    this.#keys.add(key);
    try {
      return await work();
    } finally {
      this.#keys.delete(key);
    }
  }
}

/** Reads that are shared, if they are requested at the same time or soon after each other. */
export interface SharedReads<T> {
  /** Returns the value of `key` if it was read less than `freshForMs` ago or is being read. Otherwise reads it now. */
  read(key: string): Promise<T>;
  /** The value of `key` is no longer valid. */
  drop(key: string): void;
  clear(): void;
}

/** A read that fails is shared by its callers and then forgotten; so is a value for which `isKept` returns false. */
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
