/** Runs `run` immediately, then at most every `everyMs`, with a last run for the calls in between. */
export function createThrottle(everyMs: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isWanted = false;
  const open = (): void => {
    timer = null;
    if (isWanted) request();
  };
  const request = (): void => {
    if (timer !== null) {
      isWanted = true;
      return;
    }
    isWanted = false;
    timer = setTimeout(open, everyMs);
    run();
  };
  return request;
}
