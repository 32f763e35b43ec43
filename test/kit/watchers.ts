/** Waiting for what is told, without a clock: a check is looked at now and after every word. */
export interface Watchers {
  /** Something was told. */
  notify(): void;
  /** Resolves as soon as `check` holds; rejects with what it throws. */
  until(check: () => boolean): Promise<void>;
}

export function createWatchers(): Watchers {
  const looks = new Set<() => void>();
  return {
    notify() {
      for (const look of looks) look();
    },
    until(check) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          try {
            if (!check()) return;
            resolve();
          } catch (error) {
            reject(error);
          }
          looks.delete(look);
        };
        looks.add(look);
        look();
      });
    },
  };
}
