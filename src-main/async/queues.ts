/** Work that is done one after the other, in the order it was asked for. */
export interface SerialQueue {
  /** Does `work` after all that was asked for before, whether or not that failed; answers what `work` does. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when queue empty or is under way, also of what was asked for meanwhile. */
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

/**
 * One serial queue for each key. Work of different keys is done at the same time. A key is forgotten when nothing of
 * it waits any more.
 */
export class KeyedQueue {
  readonly #queues = new Map<string, { queue: SerialQueue; waiting: number }>();

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

  /** Resolves when nothing of any key waits or is under way, also of what was asked for meanwhile. */
  async idle(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all([...this.#queues.values()].map(({ queue }) => queue.idle()));
  }
}

/** What is under way, so that whoever closes can wait for it. */
export class UnderWay {
  readonly #all = new Set<Promise<unknown>>();

  /** Answers `work` itself, and counts it until it is over, however it ends. */
  follow<T>(work: Promise<T>): Promise<T> {
    this.#all.add(work);
    const over = (): void => void this.#all.delete(work);
    work.then(over, over);
    return work;
  }

  /** Resolves when nothing is under way, also of what began meanwhile. */
  async idle(): Promise<void> {
    while (this.#all.size > 0) await Promise.allSettled(this.#all);
  }
}

/** What is under way, by key: the same thing is not begun a second time meanwhile. */
export class InFlight {
  readonly #keys = new Set<string>();

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Does `work` as long as nothing else of this key is under way; null, and nothing is done, where something is. */
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
