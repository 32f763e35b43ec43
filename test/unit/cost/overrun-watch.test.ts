import { describe, expect, it } from 'vitest';
import { nothingNotified, type Overrun, type NotifiedOverruns } from '../../../src-main/cost/overrun.ts';
import { OverrunWatch } from '../../../src-main/cost/overrun-watch.ts';
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
  const refusals = { reads: 0, writes: 0 };
  const troubles: unknown[] = [];
  const refuse = (kind: keyof typeof refusals): void => {
    if (refusals[kind] === 0) return;
    refusals[kind] -= 1;
    throw new Error(`the disk refused ${kind}`);
  };
  const clock = createVirtualClock();
  const overruns: { overrun: Overrun; atMs: number }[] = [];
  const kept: NotifiedOverruns[] = [];
  let reads = 0;
  const watch = new OverrunWatch({
    clock,
    cost: costOf(limits),
    notified: nothingNotified,
    attempts: async () => [],
    spentSince: async () => {
      reads += 1;
      refuse('reads');
      return spent();
    },
    saveNotified: async (notified) => {
      refuse('writes');
      kept.push(notified);
    },
    onOverrun: (overrun) => overruns.push({ overrun, atMs: clock.now() }),
    onTrouble: (error) => troubles.push(error),
  });
  return { clock, watch, overruns, kept, refusals, troubles, reads: () => reads };
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
  it('forgets a running job that ended while there were no limits', async () => {
    const { clock, watch, overruns } = aWatch({ perJob: 1, perDay: null });
    const startedSeenAtMs = clock.now();
    watch.noteJobs([aJob({ key: 'early', status: 'IN_PROGRESS', startedSeenAtMs })]);
    await clock.advance(1_000);
    watch.setCost(costOf({ perJob: null, perDay: null }));
    watch.noteJobs([
      aJob({ key: 'early', phase: 'finished', status: 'COMPLETED', startedSeenAtMs, finishedSeenAtMs: clock.now() }),
    ]);
    await clock.advance(1_000);
    watch.setCost({ ...costOf({ perJob: 1, perDay: null }), limitsSinceMs: clock.now() });
    watch.noteJobs([aJob({ key: 'other', status: 'IN_QUEUE' })]);
    await clock.advance(5 * hour);
    expect(overruns).toEqual([]);
  });
  it('does not take the sum of a day that ended while it was read for that of the new day', async () => {
    let midnight = (): Promise<void> => Promise.resolve();
    const { clock, watch, overruns } = aWatch({ perJob: null, perDay: 5 }, () => {
      void midnight();
      return 6;
    });
    // One millisecond before midnight, and past it when the sum is there.
    const beforeMidnightMs = new Date(new Date(clock.now()).setHours(23, 59, 59, 999)).getTime();
    clock.jump(beforeMidnightMs - clock.now());
    midnight = async () => clock.jump(1);
    watch.noteJobs([aJob({ key: 'late', phase: 'finished', status: 'COMPLETED', finishedSeenAtMs: clock.now() })]);
    await clock.advance(0);
    expect(overruns).toEqual([]);
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
  it('reports an overrun that the disk refuses to save, once, and saves it with the next', async () => {
    const { clock, watch, overruns, kept, refusals, troubles } = aWatch({ perJob: 1, perDay: null });
    refusals.writes = 1;
    const running = (key: string) => aJob({ key, status: 'IN_PROGRESS', startedSeenAtMs: clock.now() });
    watch.noteJobs([running('first')]);
    await clock.advance(hour);
    expect(overruns).toMatchObject([{ overrun: { key: 'first' } }]);
    expect(troubles).toHaveLength(1);
    expect(kept).toEqual([]);
    watch.noteJobs([running('second')]);
    await clock.advance(hour);
    expect(overruns.map(({ overrun }) => 'key' in overrun && overrun.key)).toEqual(['first', 'second']);
    expect(JSON.stringify(kept.at(-1))).toMatch(/first.*second/);
  });
  it('judges a job that ended while the history could not be read once it can be', async () => {
    const { clock, watch, overruns, refusals, troubles } = aWatch({ perJob: 1, perDay: 100 });
    refusals.reads = 1;
    const finishedSeenAtMs = clock.now();
    watch.noteJobs([
      aJob({ key: 'dear', phase: 'finished', status: 'COMPLETED', finishedSeenAtMs, executionTimeMs: 2 * hour }),
    ]);
    await clock.advance(0);
    expect(troubles).toHaveLength(1);
    expect(overruns).toEqual([]);
    await clock.advance(60_000);
    expect(overruns).toMatchObject([{ overrun: { kind: 'job', key: 'dear' } }]);
    expect(clock.pending()).toBe(0);
  });
});
