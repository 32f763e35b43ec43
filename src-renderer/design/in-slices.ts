/** How long the work of one frame takes, before the rest waits for the next. */
const sliceMs = 6;

/**
 * Runs steps for a few milliseconds per frame until it is done, and calls `onSlice` after each frame's. Returns the
 * function that stops it.
 */
export function inSlices(step: () => void, isDone: () => boolean, onSlice: (isDone: boolean) => void): () => void {
  let frame = 0;
  const work = (): void => {
    const until = performance.now() + sliceMs;
    while (!isDone() && performance.now() < until) step();
    const isAll = isDone();
    if (!isAll) frame = requestAnimationFrame(work);
    onSlice(isAll);
  };
  work();
  return () => cancelAnimationFrame(frame);
}
