/** Milliseconds that a timer counts for, however late it is. */
const stepMs = 500;

/**
 * Calls `onOver` when something was on screen for `shownMs`. While the computer is so busy that the window does nothing,
 * nobody can read or press anything, so that time does not count. Returns the function that ends the count.
 */
export function countTimeShown(shownMs: number, onOver: () => void): () => void {
  let leftMs = shownMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = (): void => {
    if (leftMs <= 0) {
      onOver();
      return;
    }
    const waitMs = Math.min(stepMs, leftMs);
    leftMs -= waitMs;
    timer = setTimeout(next, waitMs);
  };
  next();
  return () => clearTimeout(timer);
}
