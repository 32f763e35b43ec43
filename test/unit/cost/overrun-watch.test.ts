import { describe, expect, it } from 'vitest';
import { nothingNotified, type Overrun, type NotifiedOverruns } from '../../../src-main/cost/overrun.ts';
import { createOverrunWatch } from '../../../src-main/cost/overrun-watch.ts';
import type { CostLimits, EndpointCost } from '../../../src-preload/cost.ts';
import { aJob } from '../../kit/a-job.ts';
import { createVirtualClock } from '../../kit/clock.ts';

const hour = 3_600_000;
const costOf = (limits: CostLimits): EndpointCost => ({
  connectionId: 'c',
  endpointId: 'e',
  rates: [{ creditsPerHour: 1, sinceMs: 0, source: { kind: 'typed' } }],
  limits,
  limitsSinceMs: 0,
});

function aWatch(limits: CostLimits, spent: () => number = () => 0) {
  const clock = createVirtualClock();
  const overruns: { overrun: Overrun; atMs: number }[] = [];
  const kept: NotifiedOverruns[] = [];
  let reads = 0;
  const watch = createOverrunWatch({
    clock,
    cost: costOf(limits),
    notified: nothingNotified,
    attempts: async () => [],
    spentSince: async () => {
      reads += 1;
      return spent();
    },
    keepNotified: async (notified) => void kept.push(notified),
    onOverrun: (overrun) => overruns.push({ overrun, atMs: clock.now() }),
    onTrouble: (error) => {
      throw error;
    },
  });
  return { clock, watch, overruns, kept, reads: () => reads };
}

describe('watching for overruns', () => {
  it('wakes once, when a running job passes its limit', async () => {
    const { clock, watch, overruns, kept } = aWatch({ perJob: 1, perDay: null });
    const startedAtMs = clock.now();
    watch.noteJobs([aJob({ key: 'long', status: 'IN_PROGRESS', startedSeenAtMs: startedAtMs })]);
    await clock.advance(0);
    expect(clock.pending()).toBe(1);
    expect(clock.nextAtMs()).toBe(startedAtMs + hour);
    await clock.advance(hour - 1);
    expect(overruns).toEqual([]);
    await clock.advance(1);
    expect(overruns).toMatchObject([{ overrun: { kind: 'job', key: 'long' }, atMs: startedAtMs + hour }]);
    expect(kept).toHaveLength(1);
    await clock.advance(24 * hour);
    expect(overruns).toHaveLength(1);
    expect(clock.pending()).toBe(0);
  });
  it('sets no timer without limits, and includes running jobs once there are some', async () => {
    const { clock, watch, overruns } = aWatch({ perJob: null, perDay: null });
    watch.noteJobs([aJob({ key: 'long', status: 'IN_PROGRESS', startedSeenAtMs: clock.now() })]);
    await clock.advance(2 * hour);
    expect(clock.pending()).toBe(0);
    watch.setCost(costOf({ perJob: 1, perDay: null }));
    await clock.advance(1_000);
    expect(overruns).toMatchObject([{ overrun: { kind: 'job', key: 'long', isRunning: true } }]);
  });
  it('ignores a job that ended in time', async () => {
    const { clock, watch, overruns } = aWatch({ perJob: 1, perDay: null });
    const startedSeenAtMs = clock.now();
    watch.noteJobs([aJob({ key: 'short', status: 'IN_PROGRESS', startedSeenAtMs })]);
    await clock.advance(hour / 2);
    watch.noteJobs([
      aJob({
        key: 'short',
        phase: 'finished',
        status: 'COMPLETED',
        startedSeenAtMs,
        finishedSeenAtMs: clock.now(),
        executionTimeMs: hour / 2,
      }),
    ]);
    await clock.advance(24 * hour);
    expect(overruns).toEqual([]);
  });
  it('checks a hundred changes of a day together', async () => {
    const { clock, watch, overruns, reads } = aWatch({ perJob: null, perDay: 5 }, () => 6);
    for (let number = 0; number < 100; number += 1)
      watch.noteJobs([
        aJob({
          key: `k${number}`,
          phase: 'finished',
          status: 'COMPLETED',
          finishedSeenAtMs: clock.now(),
          executionTimeMs: 10,
        }),
      ]);
    await clock.advance(10_000);
    expect(overruns).toMatchObject([{ overrun: { kind: 'day', credits: 6 } }]);
    expect(reads()).toBeLessThanOrEqual(2);
  });
});
