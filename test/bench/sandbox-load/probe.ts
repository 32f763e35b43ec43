import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a measured process beside its own code (`--import`): on request over the IPC channel, it reports to the
 * bench what the process uses. `collect` first collects garbage (`--expose-gc`).
 */
export interface ProbeReading {
  rssBytes: number;
  /** Of the main thread. */
  heapBytes: number;
  /** Of all threads since the start. */
  cpuMs: number;
}

export type ProbeRequest = 'read' | 'collect';

if (isMainThread && process.channel !== undefined) {
  process.on('message', (request: ProbeRequest) => {
    if (request === 'collect') globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const reading: ProbeReading = { rssBytes: rss, heapBytes: heapUsed, cpuMs: (user + system) / 1_000 };
    process.send?.(reading);
  });
  // Listening must not keep the process alive.
  process.channel?.unref();
}
