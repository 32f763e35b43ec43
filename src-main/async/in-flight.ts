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
