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
