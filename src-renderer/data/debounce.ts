/** Work that waits until it was not requested for a while. */
export interface Debounced {
  /** Runs the work when this was not called again for the time of `createDebounce`. */
  request(): void;
  /** Whether the work waits. */
  isWaiting(): boolean;
  /** Runs the work now if it waits. */
  flush(): void;
  /** It no longer waits. */
  cancel(): void;
}

/** Runs `run` once, `pauseMs` after the last request. See `throttle.ts` for work that must not wait for a pause. */
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
