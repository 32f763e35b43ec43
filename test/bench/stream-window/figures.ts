import type { MainThreadUse } from '../../kit/main-thread.ts';
import type { BenchResult } from '../run.ts';

/** The cost of a stream on the window's main thread. Each figure's name begins with `what`. */
export function figures(what: string, use: MainThreadUse): BenchResult {
  const round = (value: number): number => Math.round(value * 10) / 10;
  return {
    [`${what}: longest task ms of CPU`]: round(use.longestTaskCpuMs),
    [`${what}: longest task ms`]: round(use.longestTaskMs),
    [`${what}: tasks over 50 ms of CPU`]: use.longTasks,
    [`${what}: CPU s`]: round(use.totalCpuMs / 1_000),
    [`${what}: took s`]: round(use.tookMs / 1_000),
    [`${what}: heap MB`]: round(use.heapMB),
    [`${what}: heap growth MB`]: round(use.heapGrowthMB),
  };
}
