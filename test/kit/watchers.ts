/** Waits for events, without a clock: a check runs now and after every event. */
export interface Watchers {
  /** Something was reported. */
  notify(): void;
  /** Resolves as soon as `check` is true. Rejects with what it throws. */
  until(check: () => boolean): Promise<void>;
}

export function createWatchers(): Watchers {
  const checks = new Set<() => void>();
  return {
    notify() {
      for (const run of checks) run();
    },
    until(check) {
      return new Promise((resolve, reject) => {
        const run = (): void => {
          try {
            if (!check()) return;
            resolve();
          } catch (error) {
            reject(error);
          }
          checks.delete(run);
        };
        checks.add(run);
        run();
      });
    },
  };
}
