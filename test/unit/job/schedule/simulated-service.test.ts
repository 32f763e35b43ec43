import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulate } from './schedule-world.ts';
import type { SimulatedJob } from './schedule-world.ts';

const minuteMs = 60_000;

describe('a simulated service', () => {
  const population = (count: number, spread: (index: number) => Partial<SimulatedJob>): SimulatedJob[] =>
    Array.from({ length: count }, (_, index) => ({
      key: `job-${String(index).padStart(5, '0')}`,
      addressKey: 'a',
      operation: 'run' as const,
      acceptedAtMs: index * 10,
      endsAtMs: 5_000 + index * 40,
      ttlMs: 86_400_000,
      isOpened: false,
      isRowOnScreen: false,
      ...spread(index),
    }));

  it('has every end found soon, with a fraction of the requests of one loop per job', () => {
    const jobs = population(600, () => ({}));
    const result = simulate(jobs, { latencyMs: 40, rateShare: 0.25, strangersEveryMs: null, untilMs: 10 * minuteMs });
    const delays = [...result.seenAfterMs.values()].map((delay) => delay ?? Infinity).toSorted((a, b) => a - b);
    expect(delays).toHaveLength(600);
    expect(delays[Math.floor(delays.length * 0.95)]).toBeLessThan(3_000);
    const loops = jobs.reduce((sum, job) => sum + Math.ceil((job.endsAtMs - job.acceptedAtMs) / 1_000), 0);
    expect(result.statusRequests + result.healthRequests).toBeLessThan(loops / 3);
    expect(result.isWithinBudget).toBe(true);
  });

  it('has every end found with far fewer reads if forecasts are good', () => {
    const errorsMs = Array.from({ length: 41 }, (_, index) => index * 10 - 200);
    // They end in another order than they were accepted in.
    const jobs = population(600, (index) => {
      const endsAtMs = 6_500 + ((index * 377) % 600) * 70;
      return { endsAtMs, forecastAtMs: endsAtMs + ((index * 37) % 41) * 10 - 200 };
    });
    const service = { latencyMs: 40, rateShare: 0.25, strangersEveryMs: null, untilMs: 10 * minuteMs };
    const result = simulate(jobs, { ...service, errorsMs });
    const delays = [...result.seenAfterMs.values()].map((delay) => delay ?? Infinity).toSorted((a, b) => a - b);
    expect(delays).toHaveLength(600);
    expect(delays[Math.floor(delays.length * 0.95)]).toBeLessThan(2_000);
    expect(result.statusRequests).toBeLessThan(600 * 1.6);
    expect(result.statusRequests).toBeLessThan(simulate(jobs, service).statusRequests / 2);
  });

  it('has every end found even if forecasts are wrong in any way, others finish jobs as well, and nothing is lost', () => {
    const anyJob = fc.record({
      acceptedAtMs: fc.nat(20_000),
      runMs: fc.integer({ min: 1, max: 5 * minuteMs }),
      wrongByMs: fc.option(fc.integer({ min: -10 * minuteMs, max: 10 * minuteMs })),
      operation: fc.constantFrom('run' as const, 'runsync' as const),
    });
    const anyErrors = fc
      .array(fc.integer({ min: -60_000, max: 60_000 }), { minLength: 8, maxLength: 40 })
      .map((errors) => errors.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(
        fc.array(anyJob, { minLength: 1, maxLength: 40 }),
        anyErrors,
        fc.option(fc.integer({ min: 200, max: 30_000 })),
        fc.boolean(),
        (parts, errorsMs, strangersEveryMs, isWindowVisible) => {
          const jobs = parts.map(({ runMs, wrongByMs, ...job }, index): SimulatedJob => {
            const endsAtMs = job.acceptedAtMs + runMs;
            return {
              key: `k${index}`,
              addressKey: 'a',
              ttlMs: 86_400_000,
              isOpened: false,
              ...job,
              endsAtMs,
              ...(wrongByMs === null ? {} : { forecastAtMs: endsAtMs + wrongByMs }),
            };
          });
          const result = simulate(jobs, {
            latencyMs: 40,
            rateShare: 0.05,
            strangersEveryMs,
            untilMs: 60 * minuteMs,
            isWindowVisible,
            errorsMs,
          });
          expect(result.isWithinBudget).toBe(true);
          expect(result.seenAfterMs.size).toBe(jobs.length);
          for (const delay of result.seenAfterMs.values()) expect(delay).not.toBeNull();
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is handled correctly when others finish jobs on the same endpoint', () => {
    const result = simulate(
      population(200, () => ({})),
      { latencyMs: 40, rateShare: 0.25, strangersEveryMs: 150, untilMs: 10 * minuteMs },
    );
    const delays = [...result.seenAfterMs.values()];
    expect(delays).toHaveLength(200);
    expect(Math.max(...delays.map((delay) => delay ?? Infinity))).toBeLessThan(40_000);
  });

  it('loses no result to retention or ttl, within any sufficient budget', () => {
    const anyJob = fc.record({
      addressKey: fc.constantFrom('a', 'b'),
      operation: fc.constantFrom('run' as const, 'runsync' as const),
      acceptedAtMs: fc.integer({ min: 0, max: 20_000 }),
      runMs: fc.integer({ min: 1, max: 20 * minuteMs }),
      ttlMs: fc.constantFrom(86_400_000, 30 * minuteMs),
      isOpened: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(anyJob, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 900 }),
        fc.option(fc.integer({ min: 200, max: 30_000 })),
        fc.boolean(),
        (parts, latencyMs, strangersEveryMs, isWindowVisible) => {
          const jobs = parts.map(({ runMs, ...job }, index): SimulatedJob => ({
            key: `k${index}`,
            ...job,
            endsAtMs: job.acceptedAtMs + runMs,
          }));
          const result = simulate(jobs, {
            latencyMs,
            rateShare: 0.05,
            strangersEveryMs,
            untilMs: 60 * minuteMs,
            isWindowVisible,
          });
          expect(result.isWithinBudget).toBe(true);
          expect(result.seenAfterMs.size).toBe(jobs.length);
          for (const [, delay] of result.seenAfterMs) expect(delay).not.toBeNull();
        },
      ),
      { numRuns: 25 },
    );
  });
});
