/** Runs `run` immediately, then at most every `everyMs`, with a last run for the calls in between. */
export function createThrottle(everyMs: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isAsked = false;
  const open = (): void => {
    timer = null;
    if (isAsked) ask();
  };
  const ask = (): void => {
    if (timer !== null) {
      isAsked = true;
      return;
    }
    isAsked = false;
    timer = setTimeout(open, everyMs);
    run();
  };
  return ask;
}
