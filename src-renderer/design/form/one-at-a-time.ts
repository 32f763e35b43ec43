/**
 * Runs work for a button or a form. While it runs, another press does nothing and gets null, so nothing is made twice.
 */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T | null> {
  let isRunning = false;
  return async (work) => {
    if (isRunning) return null;
    isRunning = true;
    try {
      return await work();
    } finally {
      isRunning = false;
    }
  };
}
