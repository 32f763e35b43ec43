import type { Worker } from 'node:worker_threads';

/** Counts the threads of this process that were started since and have not ended. `end` stops counting. */
export function watchThreads(): { live(): number; end(): void } {
  const live = new Set<Worker>();
  const begun = (worker: Worker): void => {
    live.add(worker);
    worker.once('exit', () => live.delete(worker));
  };
  process.on('worker', begun);
  return { live: () => live.size, end: () => void process.off('worker', begun) };
}
