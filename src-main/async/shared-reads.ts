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
