import { describe, expect, it } from 'vitest';
import { healthFailed, healthRead, nothingCounted } from '../../../../src-main/job/schedule/counted-ends.ts';
import type { CountedEnds } from '../../../../src-main/job/schedule/counted-ends.ts';
import type { PlannedJob } from '../../../../src-main/job/schedule/plan.ts';
import { anEndpoint, aPlannedJob, planOf } from './schedule-world.ts';

const counters = {
  jobs: { completed: 5, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
  workers: { idle: 0, running: 0 },
  extra: {},
};
const readAt = (atMs: number): CountedEnds => ({ ...healthRead(nothingCounted, counters, atMs), rises: [] });
/** Running, accepted an hour ago, just read. */
const old = (nowMs: number, changes: Partial<PlannedJob> = {}): PlannedJob[] =>
  Array.from({ length: 20 }, (_, index) =>
    aPlannedJob({
      key: `job-${index}`,
      acceptedAtMs: nowMs - 3_600_000,
      startedSeenAtMs: nowMs - 3_000_000,
      statusReadAtMs: nowMs,
      ...changes,
    }),
  );
const hourMs = 3_600_000;
const wakeAfterRead = (
  jobs: PlannedJob[],
  changes: Parameters<typeof planOf>[1] = {},
  countedEnds = readAt(hourMs),
  errorsMs: number[] = [],
): number =>
  (planOf(jobs, { nowMs: hourMs, endpointStates: [anEndpoint('a', { countedEnds, errorsMs })], ...changes }).wakeAtMs ??
    Infinity) - hourMs;

describe('the counters of an endpoint with many jobs', () => {
  it('are read half as often behind a hidden window and on battery, without forecasts', () => {
    expect(wakeAfterRead(old(hourMs))).toBe(3_000);
    expect(wakeAfterRead(old(hourMs), { isWindowVisible: false })).toBe(6_000);
    expect(wakeAfterRead(old(hourMs), { isOnBattery: true })).toBe(6_000);
  });

  it('are read immediately if they never were', () => {
    expect(planOf(old(100), { nowMs: 100 }).requests).toContainEqual({ kind: 'health', addressKey: 'a' });
  });

  it('are read as often as the youngest idle job would be', () => {
    const young = { key: 'young', acceptedAtMs: hourMs - 500, statusReadAtMs: hourMs };
    expect(wakeAfterRead([...old(hourMs), aPlannedJob(young)])).toBe(1_500);
    expect(wakeAfterRead([...old(hourMs), aPlannedJob({ ...young, isBusy: true })])).toBe(3_000);
  });

  it('are read by forecasts once eight errors are known, and then not before a job likely ended', () => {
    const errorsMs = Array.from({ length: 40 }, (_, index) => index - 20);
    const far = old(hourMs, { endsAtMs: hourMs + 900_000 });
    expect(wakeAfterRead(far, {}, readAt(hourMs), errorsMs.slice(0, 7))).toBe(3_000);
    // Not before a second has passed, and then not for nothing.
    expect(wakeAfterRead(far, {}, readAt(hourMs), errorsMs.slice(0, 8))).toBe(1_000);
    expect(wakeAfterRead(far, {}, readAt(hourMs - 1_000), errorsMs.slice(0, 8))).toBe(14_000);
  });

  it('are read sooner, the more jobs may have ended', () => {
    const errorsMs = Array.from({ length: 40 }, (_, index) => (index - 20) * 10);
    const near = old(hourMs, { endsAtMs: hourMs + 5_000 });
    const [many, few] = [near, near.slice(0, 4)].map((jobs) =>
      wakeAfterRead(jobs, {}, readAt(hourMs - 2_000), errorsMs),
    );
    expect(many).toBeLessThan(few ?? 0);
    expect(many).toBeGreaterThan(3_000);
  });

  it('are read half as often there, if no end is forecast for long', () => {
    const errorsMs = Array.from({ length: 40 }, (_, index) => index - 20);
    const far = old(hourMs, { endsAtMs: hourMs + 900_000 });
    expect(wakeAfterRead(far, {}, readAt(hourMs - 5_000), errorsMs)).toBe(10_000);
    expect(wakeAfterRead(far, { isOnBattery: true }, readAt(hourMs - 5_000), errorsMs)).toBe(25_000);
  });

  it('are tried again after failures, so that the jobs are not polled one by one forever', () => {
    const broken = healthFailed(healthFailed(readAt(hourMs - 5_000), hourMs - 2_000), hourMs);
    const asksHealth = (afterMs: number): boolean =>
      planOf(old(hourMs + afterMs), {
        nowMs: hourMs + afterMs,
        endpointStates: [anEndpoint('a', { countedEnds: broken })],
      }).requests.some(({ kind }) => kind === 'health');
    expect(asksHealth(29_000)).toBe(false);
    expect(asksHealth(30_000)).toBe(true);
    const later = (afterMs: number): boolean =>
      planOf(old(hourMs + afterMs), {
        nowMs: hourMs + afterMs,
        isOnBattery: true,
        endpointStates: [anEndpoint('a', { countedEnds: broken })],
      }).requests.some(({ kind }) => kind === 'health');
    expect([later(59_999), later(60_000)]).toEqual([false, true]);
    expect(wakeAfterRead(old(hourMs).slice(0, 2), {}, broken)).toBe(15_000);
  });
});

describe('the slow sweep', () => {
  const swept = (changes: Partial<PlannedJob>, options: Parameters<typeof planOf>[1] = {}): number =>
    planOf([...old(hourMs), aPlannedJob({ key: 'swept', acceptedAtMs: 0, ...changes })], {
      nowMs: hourMs,
      endpointStates: [anEndpoint('a', { countedEnds: readAt(hourMs) })],
      ...options,
    }).requests.filter(({ kind }) => kind === 'status').length;

  it('reads a job twice a minute even if the counters never change', () => {
    expect(swept({ statusReadAtMs: hourMs - 29_000 })).toBe(0);
    expect(swept({ statusReadAtMs: hourMs - 30_000 })).toBe(1);
  });

  it('reads a runsync three times before its result can expire', () => {
    expect(swept({ operation: 'runsync', statusReadAtMs: hourMs - 19_999 })).toBe(0);
    expect(swept({ operation: 'runsync', statusReadAtMs: hourMs - 20_000 })).toBe(1);
  });

  it('reads half as often behind a hidden window and on battery, but never after a result expires', () => {
    expect(swept({ statusReadAtMs: hourMs - 59_000 }, { isOnBattery: true })).toBe(0);
    expect(swept({ statusReadAtMs: hourMs - 60_000 }, { isOnBattery: true })).toBe(1);
    expect(swept({ statusReadAtMs: hourMs - 59_000 }, { isWindowVisible: false })).toBe(0);
    expect(
      swept({ statusReadAtMs: hourMs - 20_000, operation: 'runsync' }, { isWindowVisible: false, isOnBattery: true }),
    ).toBe(1);
  });
});
