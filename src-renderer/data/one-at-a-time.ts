/** Runs work for a button or a form. While it runs, another press does nothing, so nothing is made twice. */
export function oneAtATime(): (work: () => Promise<void>) => Promise<void> {
  let isRunning = false;
  return async (work) => {
    if (isRunning) return;
    isRunning = true;
    try {
      await work();
    } finally {
      isRunning = false;
    }
  };
}
