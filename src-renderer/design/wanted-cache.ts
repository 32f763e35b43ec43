interface WantedCacheOptions<Wanted, Key, Value> {
  keyOf: (wanted: Wanted) => Key;
  /** It must not fail. */
  load: (wanted: Wanted) => Promise<Value>;
  /** Frees the memory of a value that is dropped. */
  release: (value: Value) => void;
  /** Whether a value is still what is wanted under its key. If not, it is loaded again. */
  isCurrent?: (value: Value, wanted: Wanted) => boolean;
  /** At most this many are kept, and this many bytes, of those that are no longer wanted. */
  maxKept: number;
  bytes?: { of: (value: Value) => number; max: number };
  onChange: () => void;
}

/** What is on screen and too large to keep all of it, and some of what was on screen before. */
interface WantedCache<Wanted, Key, Value> {
  /** Loads these one after another, the most important first. What is no longer wanted is not loaded. */
  want: (wanted: readonly Wanted[]) => void;
  get: (key: Key) => Value | undefined;
  /** Drops all, and what is being loaded. */
  clear: () => void;
}

/** An empty cache. */
export function createWantedCache<Wanted, Key, Value>({
  keyOf,
  load,
  release,
  isCurrent = () => true,
  maxKept,
  bytes = { of: () => 0, max: 0 },
  onChange,
}: WantedCacheOptions<Wanted, Key, Value>): WantedCache<Wanted, Key, Value> {
  /** The one that was wanted longest ago comes first. */
  const kept = new Map<Key, Value>();
  let wanted: readonly Wanted[] = [];
  let isLoading = false;
  /** Rises when all is dropped, so that what was being loaded then is not kept. */
  let turn = 0;

  const drop = (key: Key): void => {
    const value = kept.get(key);
    if (value !== undefined) release(value);
    kept.delete(key);
  };

  const letGo = (): void => {
    const needed = new Set(wanted.map(keyOf));
    let keptBytes = 0;
    for (const value of kept.values()) keptBytes += bytes.of(value);
    for (const [key, value] of kept) {
      if (kept.size <= maxKept && keptBytes <= bytes.max) return;
      if (needed.has(key)) continue;
      keptBytes -= bytes.of(value);
      drop(key);
    }
  };

  const isMissing = (one: Wanted): boolean => {
    const value = kept.get(keyOf(one));
    return value === undefined || !isCurrent(value, one);
  };

  const loadWanted = async (): Promise<void> => {
    if (isLoading) return;
    isLoading = true;
    const turnBefore = turn;
    for (;;) {
      const next = wanted.find(isMissing);
      if (next === undefined) break;
      const value = await load(next);
      if (turn !== turnBefore) {
        release(value);
        return;
      }
      drop(keyOf(next));
      kept.set(keyOf(next), value);
      letGo();
      onChange();
    }
    isLoading = false;
  };

  return {
    want: (next) => {
      wanted = next;
      for (const one of next) {
        const key = keyOf(one);
        const value = kept.get(key);
        if (value === undefined) continue;
        kept.delete(key);
        kept.set(key, value);
      }
      letGo();
      void loadWanted();
    },
    get: (key) => kept.get(key),
    clear: () => {
      turn += 1;
      isLoading = false;
      wanted = [];
      for (const key of kept.keys()) drop(key);
    },
  };
}
