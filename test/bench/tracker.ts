import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSeededRandom } from '../../src-main/sandbox/seeded-random.ts';
import type { BenchResult } from './run.ts';
import { runContest } from './tracker/contest.ts';
import type { Contest, Figures } from './tracker/contest.ts';
import { minReads } from './tracker/least-reads.ts';
import { unpredictableRunTimes } from './tracker/log-normal-handler.ts';

/**
 * Tracks jobs with ours and with the official SDK in one run, each against its own sandbox with the specified limits.
 * The contests:
 * - 600 jobs of 1 to 8 s on 64 workers.
 * - 600 jobs with log-normal run times that their inputs do not reveal: the reads per finished job must be at most 1.5
 *   times the minimum, and the 95th percentile of the delay from its end to disk at most 1.5 s.
 * - 600 jobs whose number of steps predicts their run time to about a third.
 * - 60 unpredictable jobs on 4 workers.
 * - 50 jobs that are active at the same time and all on screen: at the 95th percentile, what is shown must be at most
 *   2 s old and an end on screen within 1 s, for a quarter of the limit.
 * - 10,000 jobs tracked at the same time, with 80 % of the limits, because submitting them would otherwise take seven
 *   minutes.
 *
 * Ours is also measured while no window is visible. JOBDECK_BENCH_ONLY names contests, separated by commas.
 */
export async function run(_options: { json: boolean }): Promise<BenchResult> {
  const result: BenchResult = {};
  const only = (process.env['JOBDECK_BENCH_ONLY'] ?? '').split(',').filter((name) => name !== '');
  for (const [name, contest] of Object.entries(contests())) {
    if (only.length > 0 && !only.includes(name)) continue;
    const folder = mkdtempSync(join(tmpdir(), 'jobdeck-bench-'));
    try {
      const figures = await runContest({ ...contest, folder });
      console.error(`${name}: ${JSON.stringify(figures)}`);
      Object.assign(result, named(name, figures));
      if (name.includes('unpredictable'))
        result[`${name}: fewest reads of any polling that sees 95 % of the ends within 1.5 s`] =
          Math.round(minReads(unpredictableRunTimes, { withinMs: 1_500, lateShare: 0.05 }) * 100) / 100;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return result;
}

/** The same jobs for every contender. */
function inputs(count: number, min: number, max: number): Record<string, unknown>[] {
  const random = createSeededRandom(7);
  return Array.from({ length: count }, (_, row) => ({
    mock_delay: Math.round(min + random() * (max - min)),
    mock_return: { row },
  }));
}

/** Rows whose number of steps predicts about how long they run. */
function steps(count: number, min: number, max: number): Record<string, unknown>[] {
  const random = createSeededRandom(13);
  return Array.from({ length: count }, (_, row) => ({ row, steps: Math.round(min + random() * (max - min)) }));
}

function contests(): Record<string, Omit<Contest, 'folder'>> {
  const task = {
    endpointId: 'mock',
    inputs: inputs(600, 1_000, 8_000),
    rateShare: 0.25,
    concurrencyShare: 0.5,
    hasWebhooks: false,
    isWindowVisible: true,
    liveOnScreen: null,
  };
  const unpredictable = {
    ...task,
    endpointId: 'log-normal',
    inputs: Array.from({ length: 600 }, (_, row) => ({ row })),
  };
  const handlerPath = fileURLToPath(new URL('tracker/log-normal-handler.ts', import.meta.url));
  const withLogNormal = ['--handler', `log-normal=${handlerPath}`];
  return {
    ours: { contender: 'ours', task, sandboxArgs: [], workers: 64 },
    'ours hidden': { contender: 'ours', task: { ...task, isWindowVisible: false }, sandboxArgs: [], workers: 64 },
    'ours with webhooks': { contender: 'ours', task: { ...task, hasWebhooks: true }, sandboxArgs: [], workers: 64 },
    'ours unpredictable': {
      contender: 'ours',
      task: unpredictable,
      sandboxArgs: withLogNormal,
      workers: 64,
    },
    'ours roughly predictable': {
      contender: 'ours',
      task: { ...task, endpointId: 'log-normal', inputs: steps(600, 10, 80) },
      sandboxArgs: withLogNormal,
      workers: 64,
    },
    'ours unpredictable 4 workers': {
      contender: 'ours',
      task: { ...unpredictable, inputs: unpredictable.inputs.slice(0, 60) },
      sandboxArgs: withLogNormal,
      workers: 4,
    },
    'ours on screen': {
      contender: 'ours',
      task: { ...task, inputs: inputs(300, 1_000, 8_000), liveOnScreen: 50 },
      sandboxArgs: [],
      workers: 16,
    },
    'ours unpredictable on screen': {
      contender: 'ours',
      task: { ...unpredictable, inputs: unpredictable.inputs.slice(0, 300), liveOnScreen: 50 },
      sandboxArgs: withLogNormal,
      workers: 50,
    },
    'sdk poll': { contender: 'sdk-poll', task, sandboxArgs: [], workers: 64 },
    'sdk runSync': { contender: 'sdk-runsync', task, sandboxArgs: ['--dialect', 'observed'], workers: 64 },
    'ours 10000': {
      contender: 'ours',
      sandboxArgs: [],
      workers: 64,
      isHeldUntilSubmitted: true,
      task: {
        ...task,
        inputs: inputs(Number(process.env['JOBDECK_BENCH_JOBS'] ?? 10_000), 50, 400),
        rateShare: 0.8,
        concurrencyShare: 0.8,
      },
    },
  };
}

function named(name: string, figures: Figures): BenchResult {
  const { byOperation, loopDelayP99Ms, ageP95Ms, partOfStatusLimit, ...plain } = figures;
  const words: Record<string, string> = {
    jobs: 'jobs',
    saved: 'results saved',
    requestsPerJob: 'requests a finished job',
    readsPerJob: 'reads a finished job',
    minReadsPerJob: 'least reads a finished job',
    tooMany: '429s',
    delayP50Ms: 'delay p50 ms',
    delayP95Ms: 'delay p95 ms',
    delayP99Ms: 'delay p99 ms',
    cpuSeconds: 'CPU seconds',
    seconds: 'seconds',
  };
  const result: BenchResult = {};
  for (const [key, value] of Object.entries(plain)) result[`${name}: ${words[key] ?? key}`] = value;
  if (loopDelayP99Ms !== null) result[`${name}: event loop delay p99 ms`] = loopDelayP99Ms;
  if (ageP95Ms !== null) {
    result[`${name}: age of the shown state p95 ms`] = ageP95Ms;
    result[`${name}: part of the status limit`] = partOfStatusLimit;
  }
  result[`${name}: requests`] = Object.entries(byOperation)
    .map(([operation, count]) => `${operation} ${count}`)
    .join(', ');
  return result;
}
