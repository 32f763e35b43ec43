import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paceOfView } from '../../../../src-main/job/schedule/view-pace.ts';
import type { PlannedJob } from '../../../../src-main/job/schedule/plan.ts';
import { anEndpoint, aPlannedJob, planOf } from './schedule-world.ts';

const rows = (count: number, running: number): PlannedJob[] =>
  Array.from({ length: count }, (_, at) =>
    aPlannedJob({
      key: `k${String(at).padStart(4, '0')}`,
      acceptedAtMs: at,
      statusReadAtMs: 0,
      isRowOnScreen: true,
      startedSeenAtMs: at < running ? at : null,
    }),
  );
const pace = (jobs: readonly PlannedJob[], allowance = 500, isWindowVisible = true): number[] => [
  ...paceOfView(anEndpoint(), jobs, { isWindowVisible, allowance: () => allowance }).values(),
];

describe('rows on screen', () => {
  it('are all read within a second if our share allows it', () => {
    expect(new Set(pace(rows(30, 3)))).toEqual(new Set([800]));
  });

  it('are otherwise read within two seconds, the running ones and the next in the queue within one', () => {
    const jobs = rows(50, 16);
    const quick = paceOfView(anEndpoint(), jobs.toReversed(), { isWindowVisible: true, allowance: () => 500 });
    for (const { key, startedSeenAtMs } of jobs) if (startedSeenAtMs !== null) expect(quick.get(key)).toBe(800);
    expect(quick.get('k0016')).toBe(800);
    expect(quick.get('k0049')).toBe(1_800);
  });

  it('share the budget equally if more run than could all be read within a second', () => {
    expect(new Set(pace(rows(50, 50)))).toEqual(new Set([(50 * 10_000) / 475]));
    expect(pace(rows(80, 79)).slice(-1)).toEqual([1_800]);
  });

  it('are read as often as a small share allows', () => {
    expect(new Set(pace(rows(40, 3), 20))).toEqual(new Set([(40 * 10_000) / 19]));
  });

  it('have no pace of their own in a hidden window', () => {
    expect(pace(rows(3, 3), 500, false)).toEqual([]);
    expect(planOf(rows(1, 1), { nowMs: 1_000, isWindowVisible: false }).requests).toEqual([]);
  });

  it('leave a twentieth of the share to others, however many there are of either', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 200 }),
        fc.nat({ max: 200 }),
        fc.integer({ min: 1, max: 2_000 }),
        (all, running, share) => {
          const reads = pace(rows(all, Math.min(all, running)), share).reduce((sum, ms) => sum + 10_000 / ms, 0);
          expect(reads).toBeLessThanOrEqual(share * 0.95 + 1e-6);
        },
      ),
    );
  });

  it('are read on time beside many that are not on screen', () => {
    const shown = rows(4, 0);
    const others = rows(40, 0).map((job) => ({ ...job, key: `x${job.key}`, isRowOnScreen: false }));
    const { requests } = planOf([...shown, ...others], { nowMs: 800 });
    expect(requests.filter(({ kind }) => kind === 'status')).toEqual(shown.map(({ key }) => ({ kind: 'status', key })));
  });
});
