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

/** Work that waits until it was not requested for a while. */
interface Debounced {
  /** Runs the work when this was not called again for the time of `createDebounce`. */
  request(): void;
  /** Whether the work waits. */
  isWaiting(): boolean;
  /** Runs the work now if it waits. */
  flush(): void;
  /** It no longer waits. */
  cancel(): void;
}

/** Runs `run` once, `pauseMs` after the last request. `createThrottle` is for work that must not wait for a pause. */
export function createDebounce(pauseMs: number, run: () => void): Debounced {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const cancel = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const runNow = (): void => {
    cancel();
    run();
  };
  return {
    request() {
      cancel();
      timer = setTimeout(runNow, pauseMs);
    },
    isWaiting: () => timer !== null,
    flush() {
      if (timer !== null) runNow();
    },
    cancel,
  };
}
