import { describe, expect, it } from 'vitest';
import { healthFailed, nothingCounted } from '../../../../src-main/job/schedule/counted-ends.ts';
import type { PlannedClosure, Plan, PlannedJob } from '../../../../src-main/job/schedule/plan.ts';
import type { Lane } from '../../../../src-main/service/rate-governor.ts';
import { anEndpoint, aPlannedJob, planOf } from './schedule-world.ts';

const keysOf = ({ requests }: Plan): string[] =>
  requests.map((request) => ('key' in request ? request.key : request.kind));
const many = (count: number, name: string, changes: Partial<PlannedJob>): PlannedJob[] =>
  Array.from({ length: count }, (_, index) =>
    aPlannedJob({ key: `${name}-${String(index).padStart(3, '0')}`, ...changes }),
  );
/** Groups whose jobs are asked about one by one. */
const oneByOne = ['a', 'b', 'c', 'd'].map((id) =>
  anEndpoint(id, { countedEnds: healthFailed(healthFailed(nothingCounted, 50_000), 50_000) }),
);

describe('a result about to expire on the service', () => {
  it('goes before everything else of any endpoint while slots are few', () => {
    const urgent = ['u1', 'u2', 'u3'].map((key) => aPlannedJob({ key, operation: 'runsync', statusReadAtMs: 0 }));
    const others = [
      aPlannedJob({ key: 'watched', addressKey: 'b', isOpened: true, statusReadAtMs: 40_000 }),
      aPlannedJob({ key: 'stream', addressKey: 'b', statusReadAtMs: 49_999, streamAtMs: 0 }),
      aPlannedJob({ key: 'cancel', addressKey: 'c', statusReadAtMs: 49_999, cancelAtMs: 0 }),
      aPlannedJob({ key: 'unsent', addressKey: 'c', stage: 'waiting' }),
    ];
    const plan = planOf([...others, ...urgent], { nowMs: 50_000, freeSlots: 4, endpointStates: oneByOne });
    expect(keysOf(plan).slice(0, 3)).toEqual(['u1', 'u2', 'u3']);
  });

  it('goes before the health of endpoints with many jobs', () => {
    const gated = ['b', 'c', 'd'].flatMap((addressKey) => many(5, addressKey, { addressKey, statusReadAtMs: 49_000 }));
    const urgent = ['u1', 'u2'].map((key) => aPlannedJob({ key, operation: 'runsync', statusReadAtMs: 0 }));
    const plan = planOf([...gated, ...urgent], {
      nowMs: 50_000,
      freeSlots: 3,
      endpointStates: ['a', 'b', 'c', 'd'].map((id) => anEndpoint(id)),
    });
    expect(keysOf(plan)).toEqual(['u1', 'u2', 'health']);
  });

  it('has the rest of its stream drained before those that stay longer', () => {
    const settling = (key: string, retentionEndsAtMs: number): PlannedJob =>
      aPlannedJob({ key, stage: 'settling', streamAtMs: 0, retentionEndsAtMs });
    const jobs = [settling('half an hour', 1_850_000), settling('a minute', 110_000), settling('ten minutes', 650_000)];
    expect(keysOf(planOf(jobs, { nowMs: 50_000, free: () => 2 }))).toEqual(['a minute', 'ten minutes']);
  });

  it('has its stream read before others if its ttl is about to end it, even for a refused operation (rulings 35, 37)', () => {
    const running = (key: string, ttlEndsAtMs: number | null): PlannedJob =>
      aPlannedJob({ key, acceptedAtMs: 0, statusReadAtMs: 49_000, streamAtMs: 49_000, ttlEndsAtMs });
    const jobs = [running('no ttl', null), running('later', 70_000), running('now', 59_000)];
    const streamsOf = (plan: Plan): (string | null)[] =>
      plan.requests.flatMap((request) => (request.kind === 'stream' ? [request.key] : []));
    expect(streamsOf(planOf(jobs, { nowMs: 50_000, free: () => 2 }))[0]).toBe('now');
    const closed: PlannedClosure = { nextTryMs: 80_000, triedAtMs: 40_000, isTrying: false, isWaitingForRead: false };
    const closure = ({ operation }: Lane): PlannedClosure | null => (operation === 'stream' ? closed : null);
    expect(streamsOf(planOf(jobs, { nowMs: 50_000, closure }))).toEqual(['now']);
    expect(streamsOf(planOf(jobs.slice(0, 2), { nowMs: 50_000, closure }))).toEqual([]);
  });

  it('is what an unreachable connection is tried with, whether a status read or a stream to drain', () => {
    const offline = { kind: 'offline', probeAtMs: 0, probedAtMs: 0, isProbing: false } as const;
    const draining = aPlannedJob({ key: 'draining', stage: 'settling', streamAtMs: 0, retentionEndsAtMs: 70_000 });
    const running = aPlannedJob({ key: 'running', statusReadAtMs: 40_000 });
    expect(planOf([running, draining], { nowMs: 50_000, access: () => offline }).requests).toEqual([
      { kind: 'stream', key: 'draining' },
    ]);
    expect(
      planOf([running, { ...draining, retentionEndsAtMs: 3_000_000 }], { nowMs: 50_000, access: () => offline })
        .requests,
    ).toEqual([{ kind: 'status', key: 'running' }]);
  });
});

describe('an endpoint that does not answer', () => {
  it('leaves a quarter of the slots to the others, however many of its jobs are due', () => {
    const silent = many(100, 'silent', { statusReadAtMs: 0, streamAtMs: 0 });
    const first = planOf(silent, { nowMs: 50_000, freeSlots: 64, endpointStates: oneByOne });
    expect(first.requests).toHaveLength(48);

    const inProgress = silent.map((job, index) => (index < 48 ? { ...job, isBusy: true } : job));
    const other = aPlannedJob({ key: 'other', addressKey: 'b', statusReadAtMs: 0 });
    expect(planOf(inProgress, { nowMs: 51_000, freeSlots: 16, endpointStates: oneByOne }).requests).toEqual([]);
    expect(keysOf(planOf([...inProgress, other], { nowMs: 51_000, freeSlots: 16, endpointStates: oneByOne }))).toEqual([
      'other',
    ]);
  });

  it('does not have its open runsync requests counted, which use no slot', () => {
    const open = many(60, 'open', { stage: 'sending', operation: 'runsync', isBusy: true });
    const due = many(10, 'due', { statusReadAtMs: 0 });
    expect(planOf([...open, ...due], { nowMs: 50_000, freeSlots: 64, endpointStates: oneByOne }).requests).toHaveLength(
      10,
    );
  });

  it('is still read when hardly a slot is free', () => {
    expect(
      planOf(many(5, 'job', { statusReadAtMs: 0 }), { nowMs: 50_000, freeSlots: 1, endpointStates: oneByOne }).requests,
    ).toHaveLength(1);
  });
});
