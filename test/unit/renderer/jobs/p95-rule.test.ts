import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JobSort, RunTimes } from '../../../../src-preload/history.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { p95RuleOf } from '../../../../src-renderer/jobs/p95-line.tsx';
import { sectionText } from '../../../../src-renderer/messages/jobs/sections.ts';
import { jobOf } from './job-of.ts';

const runTimes: RunTimes = {
  endpointId: 'text',
  count: 40,
  executionP50Ms: 300,
  executionP95Ms: 1_000,
  delayP95Ms: 50,
};
const longestFirst: JobSort = { column: 'execution', isDescending: true };

/** The rule among rows with these execution times, in the order of the list. */
function ruleAmong(times: readonly (number | null)[], sort: JobSort | null, known: RunTimes | undefined = runTimes) {
  const jobs = new Map<string, Job>(
    times.map((ms, at) => [`k${at}`, jobOf(at, { key: `k${at}`, executionTimeMs: ms })]),
  );
  return p95RuleOf([...jobs.keys()], { get: (key) => jobs.get(key) }, sort, known);
}

describe('the line at the p95', () => {
  test('has the slower rows above it if the longest come first, and below it otherwise', () => {
    expect(ruleAmong([5_000, 1_001, 1_000, 20, null], longestFirst)).toEqual({
      p95Ms: 1_000,
      rows: 2,
      areSlower: true,
    });
    expect(ruleAmong([20, 1_000, 1_001, null], { ...longestFirst, isDescending: false })).toEqual({
      p95Ms: 1_000,
      rows: 2,
      areSlower: false,
    });
    expect(sectionText.p95({ p95Ms: 72_000, rows: 1_921, areSlower: true })).toBe('p95 is 1:12, 1,921 slower above');
    expect(sectionText.p95({ p95Ms: 1_000, rows: 2, areSlower: false })).toBe('p95 is 1.00 s, slower below');
  });

  test('is where a walk through the rows finds it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 2_000 })),
        fc.nat(3),
        fc.boolean(),
        (times, unknown, isDescending) => {
          const sorted = times.toSorted((one, other) => (isDescending ? other - one : one - other));
          const rows = [...sorted, ...Array.from({ length: unknown }, () => null)];
          const above = times.filter((ms) => (isDescending ? ms > 1_000 : ms <= 1_000)).length;
          const found = ruleAmong(rows, { column: 'execution', isDescending });
          expect(found?.rows ?? null).toBe(above === 0 || above === rows.length ? null : above);
        },
      ),
    );
  });

  test('is of the waits if the list is sorted by them', () => {
    const jobs = [80, 51, 50].map((delayTimeMs, at) => jobOf(at, { key: `k${at}`, delayTimeMs }));
    const get = (key: string): Job | undefined => jobs.find((job) => job.key === key);
    const sort = { column: 'wait', isDescending: true } as const;
    expect(p95RuleOf(['k0', 'k1', 'k2'], { get }, sort, runTimes)).toEqual({ p95Ms: 50, rows: 2, areSlower: true });
  });

  test('is nowhere without an order by time, and while too few runs are known', () => {
    expect(ruleAmong([5_000, 20], null)).toBeNull();
    expect(ruleAmong([5_000, 20], { column: 'title', isDescending: true })).toBeNull();
    expect(ruleAmong([5_000, 20], longestFirst, { ...runTimes, count: 4 })).toBeNull();
    expect(ruleAmong([5_000, 20], longestFirst, { ...runTimes, executionP95Ms: null })).toBeNull();
    expect(p95RuleOf(['k0'], { get: () => undefined }, longestFirst, undefined)).toBeNull();
  });
});
