/** The longest time for which this thread's event loop was blocked. */
export interface Stalls {
  /** By the clock. On a busy machine it includes the time that other programs took. */
  longestMs: number;
  /** The longest time that this thread itself worked without a pause. */
  longestCpuMs: number;
}

/** Watches this thread's event loop, from now until the returned function is called. */
export function watchStalls(): () => Stalls {
  const stalls: Stalls = { longestMs: 0, longestCpuMs: 0 };
  let atMs = performance.now();
  let cpu = process.threadCpuUsage();
  const measure = (): void => {
    const nowMs = performance.now();
    const now = process.threadCpuUsage();
    stalls.longestMs = Math.max(stalls.longestMs, nowMs - atMs);
    stalls.longestCpuMs = Math.max(stalls.longestCpuMs, (now.user + now.system - cpu.user - cpu.system) / 1_000);
    atMs = nowMs;
    cpu = now;
  };
  const timer = setInterval(measure, 1);
  return () => {
    measure();
    clearInterval(timer);
    return stalls;
  };
}
