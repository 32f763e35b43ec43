/** Waiting for what is told, without a clock: a check is looked at now and after every word. */
export interface Watchers {
  /** Something was told. */
  notify(): void;
  /** Resolves as soon as `check` holds; rejects with what it throws. */
  until(check: () => boolean): Promise<void>;
}

export function createWatchers(): Watchers {
  const statusReads = new Set<() => void>();
  return {
    notify() {
      for (const read of statusReads) read();
    },
    until(check) {
      return new Promise((resolve, reject) => {
        const read = (): void => {
          try {
            if (!check()) return;
            resolve();
          } catch (error) {
            reject(error);
          }
          statusReads.delete(read);
        };
        statusReads.add(read);
        read();
      });
    },
  };
}
