/** The longest time this thread's event loop did not turn. */
export interface Stalls {
  /** As a clock saw it; on a busy machine with what others took. */
  longestMs: number;
  /** What this thread itself worked in one go. */
  longestCpuMs: number;
}

/** Watches this thread's event loop, from now until the answer is called. */
export function watchStalls(): () => Stalls {
  const stalls: Stalls = { longestMs: 0, longestCpuMs: 0 };
  let atMs = performance.now();
  let cpu = process.threadCpuUsage();
  const look = (): void => {
    const nowMs = performance.now();
    const now = process.threadCpuUsage();
    stalls.longestMs = Math.max(stalls.longestMs, nowMs - atMs);
    stalls.longestCpuMs = Math.max(stalls.longestCpuMs, (now.user + now.system - cpu.user - cpu.system) / 1_000);
    atMs = nowMs;
    cpu = now;
  };
  const timer = setInterval(look, 1);
  return () => {
    look();
    clearInterval(timer);
    return stalls;
  };
}
