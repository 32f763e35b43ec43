import { describe, expect, it } from 'vitest';
import type { PlannedClosure, PlannedJob } from '../../../../src-main/job/schedule/plan.ts';
import type { QueueOperation } from '../../../../src-main/service/reply.ts';
import { aPlannedJob, planOf } from './schedule-world.ts';

/** Refused until `nextTryMs`; what is no read waits for one of its endpoint. */
const refusedUntil = (nextTryMs: number, isWaitingForRead: boolean): PlannedClosure => ({
  nextTryMs,
  triedAtMs: 0,
  isTrying: false,
  isWaitingForRead,
});
const behind = (doors: Partial<Record<QueueOperation, PlannedClosure>>) => ({
  closure: ({ operation }: { operation: QueueOperation }) => doors[operation] ?? null,
});

describe('the health of an endpoint', () => {
  const waiting = aPlannedJob({ key: 'waiting', stage: 'waiting' });
  const run = behind({ run: refusedUntil(20_000, true) });

  it('is read for submissions held by a refusal, when they may be tried again', () => {
    expect(planOf([waiting], { nowMs: 19_999, ...run })).toMatchObject({ requests: [], wakeAtMs: 20_000 });
    expect(planOf([waiting], { nowMs: 20_000, ...run }).requests).toEqual([{ kind: 'health', addressKey: 'a' }]);
  });

  it('is read within its own budget', () => {
    expect(
      planOf([waiting], { nowMs: 20_000, ...run, free: ({ operation }) => (operation === 'health' ? 0 : 9) }).requests,
    ).toEqual([]);
    expect(
      planOf([waiting], { nowMs: 20_000, ...run, free: ({ operation }) => (operation === 'health' ? 1 : 0) }).requests,
    ).toEqual([{ kind: 'health', addressKey: 'a' }]);
  });

  it('is read for the first of them', () => {
    const doors = behind({ run: refusedUntil(20_000, true), runsync: refusedUntil(15_000, true) });
    const jobs = [waiting, aPlannedJob({ key: 'sync', stage: 'waiting', operation: 'runsync' })];
    expect(planOf(jobs, { nowMs: 14_999, ...doors }).wakeAtMs).toBe(15_000);
    expect(planOf(jobs.toReversed(), { nowMs: 14_999, ...doors }).wakeAtMs).toBe(15_000);
  });

  it('is not read if nothing waits for it: a read was accepted, the submission is open, or all are on the service', () => {
    const asksHealth = (job: PlannedJob, options: Parameters<typeof planOf>[1]): boolean =>
      planOf([job], { nowMs: 25_000, ...options }).requests.some(({ kind }) => kind === 'health');
    expect(asksHealth(waiting, behind({ run: refusedUntil(20_000, false) }))).toBe(false);
    expect(asksHealth(waiting, {})).toBe(false);
    expect(asksHealth(aPlannedJob({ statusReadAtMs: 25_000 }), run)).toBe(false);
  });

  it('is read when the first of its waiting submissions and jobs on the service needs it', () => {
    const seenWaiting = aPlannedJob({ key: 'seen', acceptedAtMs: 0, statusReadAtMs: 18_000 });
    const health = { kind: 'health', addressKey: 'a' };
    expect(planOf([waiting, seenWaiting], { nowMs: 20_000, ...run }).requests).toContainEqual(health);
    const later = behind({ run: refusedUntil(40_000, true) });
    const afterRead = aPlannedJob({ key: 'seen', acceptedAtMs: 0, statusReadAtMs: 29_000 });
    expect(planOf([waiting, afterRead], { nowMs: 29_999, ...later }).requests).not.toContainEqual(health);
    expect(planOf([waiting, afterRead], { nowMs: 30_000, ...later }).requests).toContainEqual(health);
  });
});

describe('the stream of a finished job', () => {
  it('is tried despite a refusal in time before its result expires', () => {
    const settling = aPlannedJob({ stage: 'settling', streamAtMs: 0, retentionEndsAtMs: 70_000 });
    const closed = behind({ stream: refusedUntil(300_000, false) });
    expect(planOf([settling], { nowMs: 45_000, ...closed })).toMatchObject({ requests: [], wakeAtMs: 60_000 });
    expect(planOf([settling], { nowMs: 60_000, ...closed }).requests).toEqual([{ kind: 'stream', key: 'job-1' }]);
    expect(planOf([{ ...settling, retentionEndsAtMs: null }], { nowMs: 45_000, ...closed }).wakeAtMs).toBe(300_000);
  });
});

it('a job that is being sent has no reads: the service gave it no id yet', () => {
  expect(planOf([aPlannedJob({ stage: 'sending', cancelAtMs: 0, streamAtMs: 0 })], { nowMs: 100 })).toMatchObject({
    requests: [],
    wakeAtMs: null,
  });
});
