/** Milliseconds that a timer counts for, however late it is. */
const stepMs = 500;

/**
 * Calls `onOver` when something was on screen for `shownMs`. Time in which the window does nothing, because the
 * computer is too busy, does not count: nothing can be read or pressed in it. Returns the function that ends the count.
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
