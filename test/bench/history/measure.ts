import { DatabaseSync } from 'node:sqlite';
import type { History } from '../../../src-main/history/history.ts';
import { percentile } from '../../../src-main/history/jobs/run-times.ts';

/** Percentiles of a duration over several runs. */
export interface Latencies {
  p50: number;
  p95: number;
  sumMs: number;
  values: number[];
}

/** Runs `work` this many times and times it. `before` runs each time and is not timed. */
export async function latencies(
  times: number,
  work: (at: number) => Promise<unknown>,
  before?: () => Promise<void>,
): Promise<Latencies> {
  const values: number[] = [];
  for (let at = 0; at < times; at += 1) {
    await before?.();
    values.push(await timed(() => work(at)));
  }
  return { ...percentiles(values), sumMs: values.reduce((sum, value) => sum + value, 0), values };
}

/** The duration of `work` in milliseconds. */
export async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return round(performance.now() - startedAt);
}

/** By nearest rank: the largest of twenty values is not their p95. */
export function percentiles(values: readonly number[]): { p50: number; p95: number } {
  const at = (share: number): number => round(percentile(values, share) ?? 0);
  return { p50: at(0.5), p95: at(0.95) };
}

/** `1.2 / 3.4`. */
export function both({ p50, p95 }: Pick<Latencies, 'p50' | 'p95'>): string {
  return `${p50} / ${p95}`;
}

/** Two decimals. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** How late this thread's timers are while `watched` runs, as they would be on the app's main thread. */
export interface LoopDelay {
  watched<T>(work: () => Promise<T>): Promise<T>;
  p99Ms(): number;
}

/**
 * The bench creates its own rows outside of `watched`, because the app does not create any. Node's
 * `monitorEventLoopDelay` would count the time between two `watched` as a delay.
 */
export function createLoopDelay(): LoopDelay {
  const everyMs = 5;
  const late: number[] = [];
  return {
    async watched(work) {
      let dueMs = performance.now() + everyMs;
      const note = (): void => {
        const nowMs = performance.now();
        late.push(Math.max(0, nowMs - dueMs));
        dueMs = nowMs + everyMs;
      };
      const timer = setInterval(note, everyMs);
      try {
        return await work();
      } finally {
        clearInterval(timer);
        if (performance.now() > dueMs) note();
      }
    },
    p99Ms: () => round(late.sort((a, b) => a - b)[Math.floor(late.length * 0.99)] ?? 0),
  };
}

/** Waits until the index has caught up. Each call gives the thread its next idle moment. */
export async function settleIndex(history: History, path: string): Promise<void> {
  const db = new DatabaseSync(path, { readOnly: true });
  const dirty = db.prepare('SELECT 1 FROM search_dirty WHERE is_urgent = 1 LIMIT 1');
  while (dirty.get() !== undefined) {
    await history.counts();
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
  db.close();
}
