import { describe, expect, it } from 'vitest';
import { readByMs } from '../../../../src-main/job/schedule/read-deadlines.ts';
import type { ConnectionAccess, PlannedEndpoint, PlannedJob } from '../../../../src-main/job/schedule/plan.ts';
import { probeOf } from '../../../../src-main/job/schedule/probe.ts';
import { anEndpoint, aPlannedJob, planOf } from './schedule-world.ts';

const nowMs = 45_000;
const offline = { kind: 'offline', probeAtMs: 60_000, probedAtMs: 30_000, isProbing: false } as const;
const refused = { kind: 'refused', probeAtMs: 60_000, probedAtMs: 30_000, isProbing: false, isByHealth: true } as const;
const running = aPlannedJob({ key: 'running', statusReadAtMs: 40_000 });
const waiting = aPlannedJob({ key: 'waiting', stage: 'waiting', operation: 'runsync' });
/** Its result may expire a minute after the last read, so that it has to be read until 50,000. */
const leaving = aPlannedJob({ key: 'leaving', operation: 'runsync', statusReadAtMs: 0 });
const settling = aPlannedJob({ key: 'settling', stage: 'settling', retentionEndsAtMs: 70_000 });
const lane = { connectionId: 'main', endpointId: 'a' };

const probe = (
  access: ConnectionAccess,
  jobs: PlannedJob[],
  endpoint: PlannedEndpoint = anEndpoint(),
): ReturnType<typeof probeOf> => probeOf(access, jobs, new Map([[endpoint.id, endpoint]]), nowMs);

describe('the probe of an unreachable connection', () => {
  it('reads the job whose result expires first', () => {
    expect(probe(offline, [running, leaving])).toEqual({
      request: { kind: 'status', key: 'leaving' },
      lane: { ...lane, operation: 'status' },
      dueAtMs: 50_000,
      rank: 0,
      order: 0,
      leavesAtMs: readByMs(leaving),
    });
  });

  it('waits for the back-off as long as nothing is about to expire', () => {
    expect(probe(offline, [running])).toMatchObject({ dueAtMs: 60_000 });
  });

  it('reads what can still be saved, not what must have expired by now', () => {
    const left = { ...leaving, key: 'left', statusReadAtMs: -100_000 };
    expect(probe(offline, [left, leaving])).toMatchObject({ request: { key: 'leaving' } });
    expect(probe(offline, [left])).toMatchObject({ request: { key: 'left' }, dueAtMs: 60_000 });
  });

  it('reads the stream that its ttl is about to delete, while the status is being read', () => {
    const ending = aPlannedJob({
      key: 'ending',
      isBusy: true,
      acceptedAtMs: -60_000,
      ttlEndsAtMs: 56_000,
      streamAtMs: 0,
    });
    expect(probe(offline, [running, ending])).toMatchObject({
      request: { kind: 'stream', key: 'ending' },
      lane: { ...lane, operation: 'stream' },
      dueAtMs: 46_000,
    });
  });

  it('is joined by another if it hangs and something is about to expire', () => {
    const hanging = { ...offline, probedAtMs: 49_000, isProbing: true } as const;
    expect(probe(hanging, [leaving])).toMatchObject({ request: { key: 'leaving' }, dueAtMs: 51_000 });
    expect(planOf([leaving], { nowMs: 50_999, access: () => hanging }).requests).toEqual([]);
    expect(planOf([leaving], { nowMs: 51_000, access: () => hanging }).requests).toHaveLength(1);
    expect(planOf([leaving], { nowMs: 60_000, access: () => hanging }).requests).toEqual([]);
  });

  it('reads the rest of a stream that expires sooner', () => {
    const expected = {
      request: { kind: 'stream', key: 'settling' },
      lane: { ...lane, operation: 'stream' },
      leavesAtMs: 60_000,
    };
    expect(probe(offline, [running, settling])).toMatchObject(expected);
    expect(probe(offline, [leaving, settling])).toMatchObject({ request: { key: 'leaving' } });
    expect(probe(offline, [running, { ...settling, retentionEndsAtMs: null }])).toMatchObject({
      request: { key: 'running' },
    });
  });

  it('is not a request about a job that already has one in progress', () => {
    expect(probe(offline, [running, { ...leaving, isBusy: true }, { ...settling, streamReads: 1 }])).toMatchObject({
      request: { key: 'running' },
    });
  });

  it('is a submission if nothing is tracked, by its own operation: nothing expires with it', () => {
    expect(probe(offline, [waiting])).toEqual({
      request: { kind: 'submit', key: 'waiting' },
      lane: { ...lane, operation: 'runsync' },
      dueAtMs: 60_000,
      rank: 0,
      order: 0,
      leavesAtMs: Infinity,
    });
    expect(probe(offline, [waiting, running])).toMatchObject({
      request: { kind: 'status', key: 'running' },
      lane: { operation: 'status' },
    });
  });
});

describe('the probe of a refused connection (ruling 35)', () => {
  const health = {
    request: { kind: 'health', addressKey: 'a' },
    lane: { ...lane, operation: 'health' },
    dueAtMs: 60_000,
    rank: 0,
    order: 0,
    leavesAtMs: Infinity,
  };

  it('reads health and a job in turn', () => {
    expect(probe(refused, [running])).toEqual(health);
    expect(probe({ ...refused, isByHealth: false }, [running])).toEqual({
      request: { kind: 'status', key: 'running' },
      lane: { ...lane, operation: 'status' },
      dueAtMs: 60_000,
      rank: 0,
      order: 0,
      leavesAtMs: readByMs(running),
    });
  });

  it('reads a job whose result expires before the next try, in time for it', () => {
    expect(probe(refused, [running, leaving])).toMatchObject({
      request: { kind: 'status', key: 'leaving' },
      dueAtMs: 50_000,
    });
    expect(probe({ ...refused, probedAtMs: 49_500 }, [leaving])).toMatchObject({ dueAtMs: 50_500 });
  });

  it('never sends a submission: that would be refused for good', () => {
    expect(probe({ ...refused, isByHealth: false }, [waiting])).toEqual(health);
    expect(probe(refused, [waiting], anEndpoint('a', { isHealthBusy: true }))).toBeNull();
  });

  it('reads a job while the health is already being read', () => {
    expect(probe(refused, [running], anEndpoint('a', { isHealthBusy: true }))).toMatchObject({
      request: { kind: 'status', key: 'running' },
    });
  });

  it('leaves when it is due, and sets the wake time until then', () => {
    expect(planOf([running, waiting], { nowMs, access: () => refused })).toEqual({
      requests: [],
      wakeAtMs: 60_000,
      nextRequestAtMs: 60_000,
      readThrough: [],
    });
    expect(planOf([running, waiting], { nowMs: 60_000, access: () => refused }).requests).toEqual([
      { kind: 'health', addressKey: 'a' },
    ]);
  });
});

describe('no probe is sent', () => {
  it.each<ConnectionAccess>([
    { kind: 'open' },
    { kind: 'closed' },
    { ...offline, isProbing: true },
    { ...refused, isProbing: true },
  ])('if the connection is %j', (access) => {
    expect(probe(access, [running, waiting])).toBeNull();
  });

  it('if there is nothing to read, or no known address', () => {
    for (const access of [offline, refused]) {
      expect(probe(access, [])).toBeNull();
      expect(probe(access, [aPlannedJob({ stage: 'sending' })])).toBeNull();
      expect(probe(access, [aPlannedJob({ addressKey: 'forgotten' })])).toBeNull();
    }
    expect(planOf([aPlannedJob({ addressKey: 'forgotten' })], { nowMs })).toMatchObject({
      requests: [],
      wakeAtMs: null,
    });
  });
});
