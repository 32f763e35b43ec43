import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readByMs } from '../../../../src-main/job/schedule/read-deadlines.ts';
import { healthFailed, healthRead, nothingCounted } from '../../../../src-main/job/schedule/counted-ends.ts';
import { schedule } from '../../../../src-main/job/schedule/schedule.ts';
import type { PlannedJob } from '../../../../src-main/job/schedule/plan.ts';
import { anEndpoint, aPlannedJob, planOf } from './schedule-world.ts';

const many = (count: number, changes: (index: number) => Partial<PlannedJob> = () => ({})): PlannedJob[] =>
  Array.from({ length: count }, (_, index) =>
    aPlannedJob({ key: `job-${String(index).padStart(5, '0')}`, ...changes(index) }),
  );
const counters = (completed: number) => ({
  jobs: { completed, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
  workers: { idle: 0, running: 0 },
  extra: {},
});

describe('one job', () => {
  it('is read soon after it was accepted, then about every second while it is shown', () => {
    expect(planOf([aPlannedJob({ isOpened: true })], { nowMs: 100 })).toMatchObject({ requests: [], wakeAtMs: 500 });
    expect(planOf([aPlannedJob({ isOpened: true, statusReadAtMs: 500 })], { nowMs: 600 })).toMatchObject({
      requests: [],
      wakeAtMs: 1_250,
    });
    expect(planOf([aPlannedJob({ isOpened: true, statusReadAtMs: 500 })], { nowMs: 1_250 }).requests).toEqual([
      { kind: 'status', key: 'job-1' },
    ]);
  });

  it('says that it is read now while a read hangs, and not when another one would be sent beside it', () => {
    // The last moment at which the rest of its stream can be read is half an hour away.
    const settling = aPlannedJob({ stage: 'settling', streamReads: 1, streamAtMs: 1_880_000 });
    expect(planOf([settling], { nowMs: 100_000 })).toMatchObject({ wakeAtMs: 1_880_000, nextRequestAtMs: 100_000 });
    const active = aPlannedJob({ isBusy: true, streamReads: 1, streamAtMs: 80_000_000 });
    expect(planOf([active], { nowMs: 100_000 }).nextRequestAtMs).toBe(100_000);
    const other = aPlannedJob({ key: 'job-2', statusReadAtMs: 100_000, acceptedAtMs: 40_000 });
    const { wakeAtMs, nextRequestAtMs } = planOf([settling, other], {
      nowMs: 100_000,
      endpointStates: [anEndpoint('a', { isHealthBusy: true })],
    });
    expect(nextRequestAtMs).toBe(wakeAtMs);
    expect(nextRequestAtMs).toBeLessThan(115_000);
    // Between two tries it is the next one.
    const waiting = aPlannedJob({ stage: 'settling', streamAtMs: 120_000 });
    expect(planOf([waiting], { nowMs: 100_000 }).nextRequestAtMs).toBe(120_000);
  });

  it('is read more rarely as it ages, up to every 15 s', () => {
    const wakeAt = (ageMs: number): number | null =>
      planOf([aPlannedJob({ statusReadAtMs: ageMs })], { nowMs: ageMs }).wakeAtMs;
    expect(wakeAt(1_000)).toBe(2_500);
    expect(wakeAt(60_000)).toBe(66_000);
    expect(wakeAt(3_600_000)).toBe(3_615_000);
  });

  it('is read more rarely while the window is hidden', () => {
    expect(
      planOf([aPlannedJob({ isOpened: true, statusReadAtMs: 60_000 })], { nowMs: 60_000, isWindowVisible: false })
        .wakeAtMs,
    ).toBe(72_000);
    // On its battery the machine looks half as often, but at what someone watches.
    expect(planOf([aPlannedJob({ statusReadAtMs: 60_000 })], { nowMs: 60_000, isOnBattery: true }).wakeAtMs).toBe(
      72_000,
    );
    expect(
      planOf([aPlannedJob({ isOpened: true, statusReadAtMs: 60_000 })], { nowMs: 60_000, isOnBattery: true }).wakeAtMs,
    ).toBe(60_750);
  });

  it('is read when it likely ended, by its forecast and how good those were, but never after its deadline', () => {
    const errorsMs = Array.from({ length: 20 }, (_, index) => index * 10);
    const wakeAt = (changes: Partial<PlannedJob>, options: { isWindowVisible?: boolean } = {}): number =>
      planOf([aPlannedJob({ endsAtMs: 9_000, startedSeenAtMs: 0, ...changes })], {
        nowMs: 100,
        endpointStates: [anEndpoint('a', { errorsMs })],
        ...options,
      }).wakeAtMs ?? Infinity;
    expect(wakeAt({})).toBeGreaterThan(9_050);
    expect(wakeAt({})).toBeLessThan(9_200);
    expect(wakeAt({}, { isWindowVisible: false })).toBeGreaterThan(wakeAt({}));
    expect(wakeAt({ endsAtMs: 90_000 })).toBe(15_000);
    expect(wakeAt({ endsAtMs: 90_000, ttlEndsAtMs: 10_000 })).toBe(8_000);
    expect(wakeAt({ isOpened: true })).toBe(500);
    // A stream that is to be collected can only be read once the job is seen running.
    expect(wakeAt({ isStreamAwaited: true })).toBe(500);
  });

  it('is read again just before its ttl ends', () => {
    const job = aPlannedJob({ acceptedAtMs: 0, statusReadAtMs: 3_590_000, ttlEndsAtMs: 3_602_000 });
    expect(planOf([job], { nowMs: 3_590_500 }).wakeAtMs).toBe(3_592_000);
    expect(planOf([{ ...job, statusReadAtMs: 3_592_000 }], { nowMs: 3_592_100 }).wakeAtMs).toBe(3_607_000);
  });

  it('waits for its back-off', () => {
    expect(
      planOf([aPlannedJob({ isOpened: true, statusReadAtMs: 0, notBeforeMs: 9_000 })], { nowMs: 5_000 }),
    ).toMatchObject({ requests: [], wakeAtMs: 9_000 });
  });

  it('is read immediately on request', () => {
    expect(planOf([aPlannedJob({ statusReadAtMs: 10, isStatusReadWanted: true })], { nowMs: 11 }).requests).toEqual([
      { kind: 'status', key: 'job-1' },
    ]);
  });

  it('has its stream read and its cancel sent when they are due, and each only once', () => {
    const job = aPlannedJob({ statusReadAtMs: 100, streamAtMs: 90, cancelAtMs: 80 });
    expect(planOf([job], { nowMs: 100 }).requests).toEqual(
      expect.arrayContaining([
        { kind: 'stream', key: 'job-1' },
        { kind: 'cancel', key: 'job-1' },
      ]),
    );
    expect(
      planOf([{ ...job, streamReads: 1, streamAtMs: null, isCancelBusy: true, isBusy: true }], { nowMs: 100 }).requests,
    ).toEqual([]);
  });

  it('has only its stream drained once its final record is saved', () => {
    expect(planOf([aPlannedJob({ stage: 'settling', streamAtMs: 0 })], { nowMs: 100_000 }).requests).toEqual([
      { kind: 'stream', key: 'job-1' },
    ]);
  });
});

describe('the outbox', () => {
  it('is sent in order, each when its back-off is over', () => {
    const jobs = [
      aPlannedJob({ key: 'b', stage: 'waiting' }),
      aPlannedJob({ key: 'a', stage: 'waiting' }),
      aPlannedJob({ key: 'c', stage: 'waiting', notBeforeMs: 500 }),
    ];
    const plan = planOf(jobs, { nowMs: 100 });
    expect(plan.requests).toEqual([
      { kind: 'submit', key: 'a' },
      { kind: 'submit', key: 'b' },
    ]);
    expect(plan.wakeAtMs).toBe(500);
    expect(planOf(jobs, { nowMs: 100, free: () => 1 }).requests).toEqual([{ kind: 'submit', key: 'a' }]);
  });
});

describe('the order of the outbox', () => {
  it('is kept on each lane whatever back-off its jobs have, and no job waits longer than those before it require', () => {
    const anyWaiting = fc.record({
      addressKey: fc.constantFrom('a', 'a at its former address', 'b'),
      operation: fc.constantFrom('run' as const, 'runsync' as const),
      notBeforeMs: fc.integer({ min: 0, max: 100 }),
      isBusy: fc.boolean(),
    });
    const endpointStates = [
      anEndpoint('a'),
      anEndpoint('a at its former address', { endpointId: 'a' }),
      anEndpoint('b'),
    ];
    fc.assert(
      fc.property(
        fc.array(anyWaiting, { maxLength: 12 }),
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 4 }),
        (parts, nowMs, free) => {
          const jobs = parts.map((part, index) =>
            aPlannedJob({ key: `k${String(index).padStart(2, '0')}`, stage: 'waiting', ...part }),
          );
          const plan = planOf(jobs.toReversed(), { nowMs, endpointStates, free: () => free });
          for (const lane of Map.groupBy(
            jobs,
            ({ addressKey, operation }) => `${addressKey[0]} ${operation}`,
          ).values()) {
            const isDue = ({ notBeforeMs }: PlannedJob): boolean => notBeforeMs <= nowMs;
            const held = lane.findIndex((job) => !isDue(job));
            const expected = (held === -1 ? lane : lane.slice(0, held))
              .filter(({ isBusy }) => !isBusy)
              .slice(0, free)
              .map(({ key }) => key);
            const sent = plan.requests.flatMap((request) =>
              request.kind === 'submit' && lane.some(({ key }) => key === request.key) ? [request.key] : [],
            );
            expect(sent).toEqual(expected);
          }
        },
      ),
    );
  });

  it('lets a single job go before the rows of batches, and its back-off holds none of them', () => {
    const rows = ['a', 'b', 'd'].map((key) => aPlannedJob({ key, stage: 'waiting', isBatchRow: true }));
    const alone = aPlannedJob({ key: 'c', stage: 'waiting' });
    expect(planOf([...rows, alone], { free: () => 3 }).requests).toEqual(
      ['c', 'a', 'b'].map((key) => ({ kind: 'submit', key })),
    );
    expect(planOf([...rows, { ...alone, notBeforeMs: 500 }], { nowMs: 100 })).toMatchObject({
      requests: ['a', 'b', 'd'].map((key) => ({ kind: 'submit', key })),
      wakeAtMs: 500,
    });
    expect(
      planOf([{ ...(rows[0] ?? alone), notBeforeMs: 500 }, ...rows.slice(1), alone], { nowMs: 100 }).requests,
    ).toEqual([{ kind: 'submit', key: 'c' }]);
  });

  it('does not set a wake time for a job whose turn has not come', () => {
    const jobs = [
      aPlannedJob({ key: 'a', stage: 'waiting', notBeforeMs: 900 }),
      aPlannedJob({ key: 'b', stage: 'waiting', notBeforeMs: 200 }),
    ];
    expect(planOf(jobs, { nowMs: 100 })).toMatchObject({ requests: [], wakeAtMs: 900 });
  });
});

describe('no request', () => {
  it('is planned when nothing is active, or while paused', () => {
    expect(planOf([])).toEqual({ requests: [], wakeAtMs: null, nextRequestAtMs: null, readThrough: [] });
    expect(planOf(many(5), { isPaused: true })).toMatchObject({ requests: [], wakeAtMs: null });
  });

  it('goes to a connection whose key was refused, while others continue', () => {
    const jobs = [aPlannedJob({ key: 'x', addressKey: 'closed' }), aPlannedJob({ key: 'y' })];
    const endpointStates = [anEndpoint('closed', { connectionId: 'other' }), anEndpoint('a')];
    const plan = planOf(jobs, {
      nowMs: 5_000,
      endpointStates,
      access: (id) => (id === 'other' ? { kind: 'closed' } : { kind: 'open' }),
    });
    expect(plan.requests).toEqual([{ kind: 'status', key: 'y' }]);
  });
});

describe('an unreachable connection', () => {
  it('is tried with one request: for the job whose result can leave first', () => {
    const jobs = [
      ...many(50, () => ({ statusReadAtMs: 50_000 })),
      aPlannedJob({ key: 'urgent', operation: 'runsync', statusReadAtMs: 50_000 }),
    ];
    const offline = { kind: 'offline', probeAtMs: 60_000, probedAtMs: 30_000, isProbing: false } as const;
    expect(planOf(jobs, { nowMs: 59_000, access: () => offline })).toMatchObject({ requests: [], wakeAtMs: 60_000 });
    expect(planOf(jobs, { nowMs: 60_000, access: () => offline }).requests).toEqual([
      { kind: 'status', key: 'urgent' },
    ]);
    expect(planOf(jobs, { nowMs: 60_000, access: () => ({ ...offline, isProbing: true }) })).toMatchObject({
      requests: [],
      // One that hangs does not put off what is about to leave.
      wakeAtMs: 100_000,
    });
  });

  it('is tried with the first submission if nothing is tracked', () => {
    const jobs = [aPlannedJob({ key: 'b', stage: 'waiting' }), aPlannedJob({ key: 'a', stage: 'waiting' })];
    expect(
      planOf(jobs, { access: () => ({ kind: 'offline', probeAtMs: 0, probedAtMs: 0, isProbing: false }) }).requests,
    ).toEqual([{ kind: 'submit', key: 'a' }]);
  });
});

it('an unreachable connection is not tried with a later submission while the first is on its way', () => {
  const offline = { kind: 'offline', probeAtMs: 0, probedAtMs: 0, isProbing: false } as const;
  const later = aPlannedJob({ key: 'b', stage: 'waiting' });
  expect(planOf([aPlannedJob({ key: 'a', stage: 'sending' }), later], { access: () => offline }).requests).toEqual([]);
  expect(planOf([aPlannedJob({ key: 'c', stage: 'sending' }), later], { access: () => offline }).requests).toEqual([
    { kind: 'submit', key: 'b' },
  ]);
});

describe('an endpoint with many jobs', () => {
  const afterRead = many(100, () => ({ statusReadAtMs: 10_000 }));
  const still = { ...healthRead(nothingCounted, counters(5), 9_000), rises: [] };

  it('takes one health call per tick while its counters do not change', () => {
    const plan = planOf(afterRead, { nowMs: 10_600, endpointStates: [anEndpoint('a', { countedEnds: still })] });
    expect(plan.requests).toEqual([{ kind: 'health', addressKey: 'a' }]);
    expect(
      planOf(afterRead, { nowMs: 10_100, endpointStates: [anEndpoint('a', { countedEnds: still })] }),
    ).toMatchObject({
      requests: [],
      wakeAtMs: 10_500,
    });
    expect(
      planOf(afterRead, {
        nowMs: 10_600,
        endpointStates: [anEndpoint('a', { countedEnds: still, isHealthBusy: true })],
      }).requests,
    ).toEqual([]);
  });

  it('is read job by job if there are few, or if its health cannot be read', () => {
    const due = many(3, () => ({ statusReadAtMs: 0 }));
    expect(planOf(due, { nowMs: 5_000 }).requests.every(({ kind }) => kind === 'status')).toBe(true);
    const broken = healthFailed(healthFailed(nothingCounted, 1_000), 2_000);
    expect(
      planOf(
        many(50, () => ({ statusReadAtMs: 0 })),
        { nowMs: 20_000, endpointStates: [anEndpoint('a', { countedEnds: broken })] },
      ).requests,
    ).toHaveLength(50);
  });

  it('has about as many jobs read as ended, the likeliest first', () => {
    const jobs = many(100, (index) => ({
      statusReadAtMs: 10_000,
      startedSeenAtMs: index >= 90 ? 5_000 + index : null,
      acceptedAtMs: index,
    }));
    const moved = { ...healthRead(still, counters(7), 10_500), seenEnds: 0 };
    const plan = planOf(jobs, {
      nowMs: 10_600,
      endpointStates: [anEndpoint('a', { countedEnds: moved, isHealthBusy: true })],
    });
    const keys = plan.requests.map((request) => ('key' in request ? request.key : ''));
    expect(keys).toEqual(['job-00090', 'job-00091', 'job-00092']);
  });

  it('is marked as fully read when no job is left that may have ended', () => {
    const moved = healthRead(still, counters(7), 10_500);
    const after = many(100, () => ({ statusReadAtMs: 10_501 }));
    expect(
      planOf(after, { nowMs: 10_600, endpointStates: [anEndpoint('a', { countedEnds: moved })] }).readThrough,
    ).toEqual([{ addressKey: 'a', sinceMs: 10_501 }]);
    expect(
      planOf([...after, aPlannedJob({ key: 'z', statusReadAtMs: 1, notBeforeMs: 20_000 })], {
        nowMs: 10_600,
        endpointStates: [anEndpoint('a', { countedEnds: moved })],
      }).readThrough,
    ).toEqual([]);
  });

  it('has its counters read no sooner than one of our jobs likely ended, but at least every 15 s', () => {
    const errorsMs = Array.from({ length: 40 }, (_, index) => index - 20);
    const wakeAt = (endsAtMs: number, options: { isWindowVisible?: boolean; nowMs?: number } = {}): number | null =>
      planOf(
        afterRead.map((job) => ({ ...job, startedSeenAtMs: 0, endsAtMs })),
        { nowMs: 10_100, endpointStates: [anEndpoint('a', { countedEnds: still, errorsMs })], ...options },
      ).wakeAtMs;
    expect(wakeAt(10_000, { nowMs: 9_900 })).toBe(10_000);
    expect(wakeAt(10_000, { isWindowVisible: false })).toBe(12_000);
    expect(wakeAt(15_000)).toBeGreaterThan(12_000);
    expect(wakeAt(15_000)).toBeLessThan(15_000);
    expect(wakeAt(90_000)).toBe(24_000);
    // One that is queued may have started: the list must not say otherwise for long.
    expect(
      planOf(
        afterRead.map((job) => ({ ...job, endsAtMs: 90_000 })),
        { nowMs: 10_100, endpointStates: [anEndpoint('a', { countedEnds: still, errorsMs })] },
      ).wakeAtMs,
    ).toBe(12_000);
    const unknown = afterRead.map((job, index) => ({ ...job, endsAtMs: index === 7 ? null : 90_000 }));
    expect(
      planOf(unknown, { nowMs: 10_100, endpointStates: [anEndpoint('a', { countedEnds: still, errorsMs })] }).requests,
    ).toEqual([{ kind: 'health', addressKey: 'a' }]);
  });

  it('skips jobs that are unlikely to have ended, but not forever', () => {
    const errorsMs = Array.from({ length: 40 }, (_, index) => index - 20);
    const moved = healthRead(still, counters(7), 10_500);
    const running = afterRead.map((job) => ({ ...job, endsAtMs: 90_000 }));
    const endpoint = anEndpoint('a', { countedEnds: moved, errorsMs, isHealthBusy: true });
    const plan = planOf(running, { nowMs: 10_600, endpointStates: [endpoint] });
    expect(plan).toMatchObject({ requests: [], wakeAtMs: 20_500 });
    expect(planOf(running, { nowMs: 20_500, endpointStates: [endpoint] }).requests).toHaveLength(100);
  });

  it('has its health read once a few jobs wait long, and once a minute while they do', () => {
    const readAt = (readAtMs: number | null) => ({
      endpointStates: [anEndpoint('a', { countedEnds: { ...nothingCounted, readAtMs } })],
    });
    const asksHealth = (
      changes: Partial<PlannedJob>,
      nowMs: number,
      readAtMs: number | null = null,
      more = {},
    ): boolean =>
      planOf([aPlannedJob({ statusReadAtMs: nowMs, ...changes })], {
        nowMs,
        ...readAt(readAtMs),
        ...more,
      }).requests.some(({ kind }) => kind === 'health');
    expect(asksHealth({}, 29_000)).toBe(false);
    expect(asksHealth({}, 30_000)).toBe(true);
    expect(asksHealth({}, 89_000, 30_000)).toBe(false);
    expect(asksHealth({}, 90_000, 30_000)).toBe(true);
    expect(asksHealth({}, 90_000, 30_000, { isWindowVisible: false })).toBe(false);
    expect(
      planOf([aPlannedJob({ statusReadAtMs: 3_600_000 })], { nowMs: 3_600_000, ...readAt(3_550_000) }).wakeAtMs,
    ).toBe(3_610_000);
    // Not for one that runs, nor for one that was not seen waiting.
    expect(asksHealth({ startedSeenAtMs: 5_000 }, 90_000)).toBe(false);
    expect(asksHealth({ statusReadAtMs: null }, 90_000)).toBe(false);
    expect(asksHealth({ stage: 'settling' }, 90_000)).toBe(false);
  });

  it('keeps shown jobs near-live', () => {
    const jobs = [...afterRead, aPlannedJob({ key: 'seen', isOpened: true, statusReadAtMs: 9_000 })];
    expect(planOf(jobs, { nowMs: 10_100, endpointStates: [anEndpoint('a', { countedEnds: still })] }).requests).toEqual(
      [{ kind: 'status', key: 'seen' }],
    );
  });
});

describe('a tight budget', () => {
  it('goes first to results about to expire on the service, then to user requests', () => {
    const jobs = [
      aPlannedJob({ key: 'old', statusReadAtMs: 36_000 }),
      aPlannedJob({ key: 'seen', isOpened: true, statusReadAtMs: 40_000 }),
      aPlannedJob({ key: 'urgent', operation: 'runsync', statusReadAtMs: 0 }),
    ];
    const order = [1, 2, 3].map((free) =>
      planOf(jobs, { nowMs: 50_000, free: () => free }).requests.flatMap((request) =>
        'key' in request ? [request.key] : [],
      ),
    );
    expect(order).toEqual([['urgent'], ['urgent', 'seen'], ['urgent', 'seen', 'old']]);
  });

  it('goes to what can still be saved before what may already be lost', () => {
    const jobs = [
      aPlannedJob({ key: 'late', operation: 'runsync', statusReadAtMs: 0 }),
      aPlannedJob({ key: 'near', operation: 'runsync', statusReadAtMs: 100_000 }),
      aPlannedJob({ key: 'nearest', operation: 'runsync', statusReadAtMs: 99_000 }),
    ];
    expect(
      planOf(jobs, { nowMs: 148_000, free: () => 2 }).requests.flatMap((request) =>
        'key' in request ? [request.key] : [],
      ),
    ).toEqual(['nearest', 'near']);
  });

  it('is shared between endpoints when slots are few', () => {
    const jobs = [
      ...many(50, () => ({ statusReadAtMs: 0 })),
      aPlannedJob({ key: 'other', addressKey: 'b', statusReadAtMs: 0 }),
    ];
    const broken = healthFailed(healthFailed(nothingCounted, 0), 0);
    const plan = planOf(jobs, {
      nowMs: 30_000,
      freeSlots: 4,
      endpointStates: [anEndpoint('a', { countedEnds: broken }), anEndpoint('b')],
    });
    expect(plan.requests).toContainEqual({ kind: 'status', key: 'other' });
    expect(plan.requests).toHaveLength(4);
  });

  it('is never exceeded, and wakes when something is due', () => {
    const anyJob = fc.record({
      stage: fc.constantFrom('waiting' as const, 'active' as const, 'settling' as const),
      operation: fc.constantFrom('run' as const, 'runsync' as const),
      addressKey: fc.constantFrom('a', 'b'),
      acceptedAtMs: fc.integer({ min: 0, max: 50_000 }),
      statusReadAtMs: fc.option(fc.integer({ min: 0, max: 60_000 })),
      startedSeenAtMs: fc.option(fc.integer({ min: 0, max: 60_000 })),
      ttlEndsAtMs: fc.integer({ min: 55_000, max: 90_000_000 }),
      isOpened: fc.boolean(),
      isRowOnScreen: fc.boolean(),
      isStatusReadWanted: fc.boolean(),
      isBusy: fc.boolean(),
      streamReads: fc.integer({ min: 0, max: 4 }),
      notBeforeMs: fc.integer({ min: 0, max: 70_000 }),
      streamAtMs: fc.option(fc.integer({ min: 0, max: 70_000 })),
      cancelAtMs: fc.option(fc.integer({ min: 0, max: 70_000 })),
    });
    const anyGate = fc.record({ completed: fc.integer({ min: 0, max: 9 }), atMs: fc.integer({ min: 0, max: 60_000 }) });
    fc.assert(
      fc.property(
        fc.array(anyJob, { maxLength: 40 }),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 0, max: 20 }),
        anyGate,
        fc.boolean(),
        (parts, free, freeSlots, { completed, atMs }, isWindowVisible) => {
          const nowMs = 60_000;
          const jobs = parts.map((part, index) => aPlannedJob({ key: `k${index}`, ...part }));
          const countedEnds = healthRead(nothingCounted, counters(completed), atMs);
          const plan = schedule({
            nowMs,
            isPaused: false,
            isWindowVisible,
            isOnBattery: false,
            jobs,
            freeSlots,
            endpointStates: new Map([
              ['a', anEndpoint('a', { countedEnds })],
              ['b', anEndpoint('b')],
            ]),
            access: () => ({ kind: 'open' }),
            triedAtMs: () => null,
            closure: () => null,
            allowance: () => 500,
            room: () => ({ free, nextAtMs: nowMs + 777 }),
          });
          expect(plan.requests.length).toBeLessThanOrEqual(freeSlots);
          const byLane = Map.groupBy(plan.requests, (request) => {
            if (request.kind === 'health') return `health ${request.addressKey}`;
            const job = jobs.find(({ key }) => key === request.key);
            return `${request.kind === 'submit' ? job?.operation : request.kind} ${job?.addressKey}`;
          });
          for (const requests of byLane.values()) expect(requests.length).toBeLessThanOrEqual(free);
          expect(new Set(plan.requests.map((request) => JSON.stringify(request))).size).toBe(plan.requests.length);
          for (const request of plan.requests) {
            if (request.kind === 'health') continue;
            const job = jobs.find(({ key }) => key === request.key);
            if (request.kind === 'status' || request.kind === 'submit') expect(job?.isBusy).toBe(false);
            if (request.kind === 'status') expect(job?.stage).toBe('active');
          }
          if (plan.wakeAtMs !== null) expect(plan.wakeAtMs).toBeGreaterThanOrEqual(nowMs);
          if (freeSlots === 0 || free === 0) return;
          // Whatever can leave the service unseen is either planned now, or woken for in time.
          for (const job of jobs.filter(
            ({ stage, isBusy, notBeforeMs }) => stage === 'active' && !isBusy && notBeforeMs <= nowMs,
          )) {
            const isPlanned = plan.requests.some((request) => request.kind === 'status' && request.key === job.key);
            // An endpoint leaves a quarter of the slots to the others; whatever holds one ends, and that wakes.
            const ofEndpoint = jobs.filter(({ addressKey }) => addressKey === job.addressKey);
            const held =
              ofEndpoint.filter(
                (other) => other.isBusy && !(other.stage === 'waiting' && other.operation === 'runsync'),
              ).length + ofEndpoint.reduce((reads, { streamReads }) => reads + streamReads, 0);
            const taken = plan.requests.filter((request) =>
              request.kind === 'health'
                ? request.addressKey === job.addressKey
                : ofEndpoint.some(({ key }) => key === request.key),
            ).length;
            const isFull =
              plan.requests.length === freeSlots ||
              plan.requests.filter(({ kind }) => kind === 'status').length >= free ||
              (held > 0 && held + taken >= Math.floor((freeSlots + held) * 0.75)) ||
              (held === 0 && taken >= Math.max(1, Math.floor(freeSlots * 0.75)));
            if (!isPlanned && !isFull)
              expect(plan.wakeAtMs ?? Infinity).toBeLessThanOrEqual(Math.max(nowMs, readByMs(job)));
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('starves no job: every job is read, however few requests there are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        (count, perStep, isAnyWatched) => {
          const jobs = many(count, (index) => ({ statusReadAtMs: null, isOpened: isAnyWatched && index === 0 }));
          const unseen = new Set(jobs.map(({ key }) => key));
          let nowMs = 0;
          for (let step = 0; step < count * 3 + 400 && unseen.size > 0; step += 1) {
            nowMs += 2_000;
            const plan = planOf(jobs, {
              nowMs,
              free: () => perStep,
              endpointStates: [anEndpoint('a', { countedEnds: healthFailed(healthFailed(nothingCounted, 0), 0) })],
            });
            for (const request of plan.requests) {
              if (request.kind !== 'status') continue;
              unseen.delete(request.key);
              const job = jobs.find(({ key }) => key === request.key);
              if (job !== undefined) job.statusReadAtMs = nowMs;
            }
          }
          expect([...unseen]).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
