/** Waits for events, without a clock: a check runs now and after every event. */
export interface Watchers {
  /** Something was reported. */
  notify(): void;
  /** Resolves as soon as `check` is true. Rejects with what it throws. */
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
