import { describe, expect, it } from 'vitest';
import type { RunSample } from '../../../../src-main/history/records.ts';
import type { JobRecord } from '../../../../src-main/service/reply.ts';
import { Forecasts } from '../../../../src-main/job/forecast/forecasts.ts';
import { createEndpointPollingStates } from '../../../../src-main/job/context/polling-state.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { aJob } from '../../../kit/a-job.ts';
import { aRecord } from '../records.ts';

/** Forecasts over saved runs and inputs that a test names, with a clock it moves. */
function aWorld(saved: { runs?: RunSample[]; numbers?: (key: string) => Record<string, number> } = {}) {
  let nowMs = 0;
  const asked: string[][] = [];
  const forecasts: Forecasts = new Forecasts({
    history: {
      runSamples: async () => saved.runs ?? [],
      inputNumbers: async (keys) => {
        asked.push(keys);
        return keys.map((key) => saved.numbers?.(key) ?? {});
      },
    },
    clock: { now: () => nowMs },
    onTrouble: (error) => {
      throw error;
    },
  });
  const endpointStates = createEndpointPollingStates();
  return {
    forecasts,
    asked,
    at(ms: number) {
      nowMs = ms;
    },
    endpointOf: (job: Job) => endpointStates.of(job),
    endsAtMs: (job: Job) => forecasts.endsAtMs(job, endpointStates.of(job)),
    /** Lets what was asked of the history come. */
    settle: () => new Promise<void>((resolve) => setImmediate(resolve)),
  };
}

const anActive = (index: number, changes: Partial<Job> = {}): Job =>
  aJob({
    key: `job-${String(index).padStart(4, '0')}`,
    phase: 'active',
    status: 'IN_QUEUE',
    acceptedAtMs: index * 100,
    startedSeenAtMs: null,
    delayTimeMs: null,
    executionTimeMs: null,
    statusReadAtMs: null,
    inputBytes: 20,
    attempt: 1,
    ...changes,
  });
const completed = (delayTimeMs: number, executionTimeMs: number): JobRecord =>
  aRecord({ status: 'COMPLETED', delayTimeMs, executionTimeMs });

describe('forecasts', () => {
  it('are unknown before the first runs', async () => {
    const world = aWorld();
    expect(world.endsAtMs(anActive(1))).toBeNull();
    await world.settle();
    world.at(10_000);
    expect(world.endsAtMs(anActive(1))).toBeNull();
    expect(world.forecasts.errorsMs(world.endpointOf(anActive(1)))).toEqual([]);
  });

  it('use earlier days, over a restart, and the numbers of the job’s own input', async () => {
    const runs = Array.from({ length: 20 }, (_, index) => ({
      executionMs: 1_000 * (1 + (index % 7)),
      numbers: { steps: 1 + (index % 7) },
    }));
    const world = aWorld({ runs, numbers: () => ({ steps: 5 }) });
    const job = anActive(10);
    world.endsAtMs(job);
    await world.settle();
    world.at(1_000);
    expect(world.endsAtMs(job)).toBe(1_000 + 5_000);
    expect(world.forecasts.errorsMs(world.endpointOf(job)).length).toBeGreaterThanOrEqual(8);
  });

  it('count from the start of the run, once a reply reports it', async () => {
    const world = aWorld({ runs: Array.from({ length: 9 }, () => ({ executionMs: 4_000, numbers: {} })) });
    const job = anActive(10);
    world.endsAtMs(job);
    await world.settle();
    world.at(9_000);
    world.forecasts.replied(
      job,
      world.endpointOf(job),
      aRecord({ status: 'IN_PROGRESS', delayTimeMs: 7_000, executionTimeMs: 1_000 }),
      8_990,
    );
    expect(world.endsAtMs({ ...job, status: 'IN_PROGRESS', startedSeenAtMs: 9_000, delayTimeMs: 7_000 })).toBe(
      1_000 + 7_000 + 4_000,
    );
    // One accepted at the same time began about then as well.
    expect(world.endsAtMs(anActive(10, { key: 'other' }))).toBe(12_000);
  });

  it('learn their own errors', async () => {
    const world = aWorld({ runs: Array.from({ length: 9 }, () => ({ executionMs: 4_000, numbers: {} })) });
    world.endsAtMs(anActive(0));
    await world.settle();
    world.at(1_000);
    for (let index = 0; index < 10; index += 1) {
      const job = anActive(index);
      const forecast = world.endsAtMs(job) ?? Number.NaN;
      world.at(20_000 + index * 300);
      world.forecasts.replied(
        job,
        world.endpointOf(job),
        completed(forecast - index * 100 - 4_000, 4_250),
        20_000 + index * 300,
      );
    }
    world.at(30_000);
    world.endsAtMs(anActive(11));
    const errors = world.forecasts.errorsMs(world.endpointOf(anActive(0)));
    expect(errors).toHaveLength(10);
    expect(errors.every((ms) => ms === 250)).toBe(true);
  });

  it('cover every one of ten thousand jobs, however often something new is learned', async () => {
    const world = aWorld({ runs: Array.from({ length: 9 }, () => ({ executionMs: 4_000, numbers: {} })) });
    const jobs = Array.from({ length: 10_000 }, (_, index) => anActive(index, { inputBytes: 0 }));
    for (const job of jobs) world.endsAtMs(job);
    await world.settle();
    const [first] = jobs;
    if (first === undefined) throw new Error('no job');
    for (let turn = 1; turn <= 40; turn += 1) {
      world.at(1_000_000 + turn * 50);
      const last = jobs[turn] ?? first;
      world.forecasts.replied(last, world.endpointOf(last), completed(500_000, 4_000), 1_000_000 + turn * 50);
      for (const job of jobs) world.endsAtMs(job);
    }
    const waits = jobs.map((job) => (world.endsAtMs(job) ?? 0) - (job.acceptedAtMs ?? 0));
    expect([Math.min(...waits), Math.max(...waits)]).toEqual([504_000, 504_000]);
  });

  it('read the inputs of jobs once, some hundred at a time, and no large or unknown ones', async () => {
    const world = aWorld();
    for (let index = 0; index < 450; index += 1) world.endsAtMs(anActive(index));
    for (let index = 0; index < 450; index += 1) world.endsAtMs(anActive(index));
    world.endsAtMs(anActive(901, { inputBytes: 0 }));
    world.endsAtMs(anActive(902, { inputBytes: 5_000_000 }));
    for (let turn = 0; turn < 10; turn += 1) await world.settle();
    expect(world.asked.flat()).toHaveLength(450);
    expect(Math.max(...world.asked.map((keys) => keys.length))).toBe(200);
  });

  it('count only our share of a queue with other clients', async () => {
    const world = aWorld({ runs: Array.from({ length: 9 }, () => ({ executionMs: 1_000, numbers: {} })) });
    const jobs = Array.from({ length: 10 }, (_, index) => anActive(index));
    for (const job of jobs) world.endsAtMs(job);
    await world.settle();
    world.at(5_000);
    const endpoint = world.endpointOf(anActive(0));
    // Forty there, ten of them ours: of twenty in the queue five.
    world.forecasts.healthRead(
      endpoint,
      {
        jobs: { completed: 0, failed: 0, inProgress: 20, inQueue: 20, retried: 0 },
        workers: { idle: 0, running: 20 },
        extra: {},
      },
      jobs,
    );
    const [firstQueued, lastStarted] = [5, 4].map((index) => world.endsAtMs(anActive(index)) ?? Number.NaN);
    expect(firstQueued).toBe(6_000);
    expect(lastStarted).toBeLessThan(6_000);
  });
});
