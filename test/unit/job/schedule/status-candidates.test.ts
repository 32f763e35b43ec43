import { describe, expect, it } from 'vitest';
import { healthRead, nothingCounted, type CountedEnds } from '../../../../src-main/job/schedule/counted-ends.ts';
import type { Plan, PlannedJob } from '../../../../src-main/job/schedule/plan.ts';
import { anEndpoint, aPlannedJob, planOf } from './schedule-world.ts';
import { unseenStarts } from '../../../../src-main/job/schedule/status-candidates.ts';

const counters = (completed: number) => ({
  jobs: { completed, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
  workers: { idle: 0, running: 0 },
  extra: {},
});
const nowMs = 50_000;
/** Two ends showed at 49,900. */
const moved: CountedEnds = healthRead(
  { ...healthRead(nothingCounted, counters(5), 40_000), rises: [] },
  counters(7),
  49_900,
);
/** Read ten seconds ago and accepted one after the other, the earlier ones likelier. */
const afterRead = (count: number, changes: (index: number) => Partial<PlannedJob> = () => ({})): PlannedJob[] =>
  Array.from({ length: count }, (_, index) =>
    aPlannedJob({
      key: `job-${String(index).padStart(3, '0')}`,
      acceptedAtMs: 1_000 + index,
      statusReadAtMs: 40_000,
      ...changes(index),
    }),
  );
const plan = (jobs: PlannedJob[], options: Parameters<typeof planOf>[1] = {}, errorsMs: number[] = []): Plan =>
  planOf(jobs, {
    nowMs,
    endpointStates: [anEndpoint('a', { countedEnds: moved, errorsMs, isHealthBusy: true })],
    ...options,
  });
const statusReads = (...keys: string[]) => keys.map((key) => ({ kind: 'status', key }));
/** Forecasts that were right to some tens of milliseconds. */
const good = Array.from({ length: 40 }, (_, index) => index - 20);

describe('ends that the counters of an endpoint showed', () => {
  it('are searched for among jobs not read since then', () => {
    const since = afterRead(3, (index) => ({
      key: `since-${index}`,
      acceptedAtMs: index,
      statusReadAtMs: 49_900 + index,
    }));
    expect(plan([...since, ...afterRead(20)])).toMatchObject({
      requests: statusReads('job-000', 'job-001', 'job-002'),
      wakeAtMs: 70_000,
    });
  });

  it('are searched for with fewer reads, while jobs already being read may be the ones', () => {
    const busy = aPlannedJob({ key: 'busy', acceptedAtMs: 0, statusReadAtMs: 40_000, isBusy: true });
    expect(plan([busy, ...afterRead(20)]).requests).toEqual(statusReads('job-000', 'job-001'));
    expect(plan([{ ...busy, statusReadAtMs: 49_950 }, ...afterRead(20)]).requests).toEqual(
      statusReads('job-000', 'job-001', 'job-002'),
    );
  });

  it('do not hold up the slow sweep', () => {
    const swept = aPlannedJob({ key: 'swept', acceptedAtMs: 1_500, statusReadAtMs: 20_000 });
    expect(plan([...afterRead(20), swept]).requests).toEqual(
      expect.arrayContaining(statusReads('swept', 'job-000', 'job-001', 'job-002')),
    );
    expect(plan([...afterRead(20), { ...swept, statusReadAtMs: 20_001 }]).requests).not.toContainEqual({
      kind: 'status',
      key: 'swept',
    });
  });

  it('do not hold up the read of a result that is about to expire', () => {
    const leaving = aPlannedJob({ key: 'leaving', operation: 'runsync', statusReadAtMs: 0 });
    const jobs = [...afterRead(20, () => ({ startedSeenAtMs: 2_000 })), leaving];
    expect([1, 2].map((free) => plan(jobs, { free: () => free }).requests)).toEqual([
      statusReads('leaving'),
      statusReads('leaving', 'job-000'),
    ]);
  });

  it('are not searched for in a job whose back-off is not over', () => {
    const failed = aPlannedJob({ key: 'failed', acceptedAtMs: 0, statusReadAtMs: 40_000, notBeforeMs: 50_500 });
    expect(plan([failed, ...afterRead(20)])).toMatchObject({
      requests: statusReads('job-000', 'job-001', 'job-002'),
      wakeAtMs: 50_500,
    });
    expect(plan([{ ...failed, notBeforeMs: nowMs }, ...afterRead(20)]).requests).toEqual(
      statusReads('failed', 'job-000', 'job-001'),
    );
  });

  it('do not set a wake time for those being read now', () => {
    expect(plan(afterRead(20, (index) => ({ statusReadAtMs: index < 3 ? 30_000 : 40_000 })))).toMatchObject({
      requests: statusReads('job-000', 'job-001', 'job-002'),
      wakeAtMs: 70_000,
    });
  });

  it('are searched for in all others some seconds later, first in those read longest ago', () => {
    const unlikely = afterRead(20, (index) => ({ endsAtMs: 900_000, statusReadAtMs: 45_000 - index }));
    const atMs = 49_900 + 5_000;
    expect(plan(unlikely, { nowMs: atMs - 1 }, good)).toMatchObject({ requests: [], wakeAtMs: atMs });
    expect(plan(unlikely, { nowMs: atMs, free: () => 2 }, good).requests).toEqual(statusReads('job-019', 'job-018'));
  });

  it('are settled when all were read since, whatever is shown', () => {
    const since = afterRead(20, () => ({ statusReadAtMs: 49_900 }));
    const watched = aPlannedJob({ key: 'watched', isOpened: true, isBusy: true, statusReadAtMs: 1 });
    expect(plan([...since, watched]).readThrough).toEqual([{ addressKey: 'a', sinceMs: 49_900 }]);
    expect(plan([...since, aPlannedJob({ key: 'one', statusReadAtMs: 49_899 })]).readThrough).toEqual([]);
  });
});

describe('a job with a status that is not listed', () => {
  const hourMs = 3_600_000;
  /** How long after its last read, `ageMs` after its acceptance, the job is read again. */
  const pauseMs = (ageMs: number, changes: Partial<PlannedJob> = {}): number => {
    const job = aPlannedJob({ startedSeenAtMs: 1, isStatusUnlisted: true, statusReadAtMs: ageMs, ...changes });
    return (planOf([job], { nowMs: ageMs }).wakeAtMs ?? 0) - ageMs;
  };

  it('is read as often as any for an hour, and then less and less often', () => {
    expect([0.9, 1, 2, 10, 20].map((hours) => pauseMs(hours * hourMs))).toEqual([
      15_000, 60_000, 120_000, 600_000, 600_000,
    ]);
    expect(pauseMs(20 * hourMs, { isStatusUnlisted: false })).toBe(15_000);
  });

  it('is read as often as any while it is on screen, or its result stays for a minute', () => {
    expect(pauseMs(10 * hourMs, { isOpened: true })).toBe(750);
    expect(pauseMs(10 * hourMs, { operation: 'runsync' })).toBeLessThanOrEqual(50_000);
  });

  it('is read as rarely if a health request stands for it', () => {
    const jobs = Array.from({ length: 8 }, (_, index) =>
      aPlannedJob({
        key: `job-${index}`,
        startedSeenAtMs: 1,
        isStatusUnlisted: true,
        statusReadAtMs: 10 * hourMs,
      }),
    );
    const endpointStates = [anEndpoint('a', { countedEnds: nothingCounted, isHealthBusy: true })];
    expect(planOf(jobs, { nowMs: 10 * hourMs + 599_000, endpointStates }).requests).toEqual([]);
    expect(planOf(jobs, { nowMs: 10 * hourMs + 600_000, endpointStates }).requests).toHaveLength(8);
  });
});

describe('a single status read', () => {
  /** The first request of the plan: a status read, or the read of a stream that a window waits for. */
  const first = (jobs: PlannedJob[], atMs: number): string => {
    const [request] = planOf(
      [...jobs, aPlannedJob({ key: 'stream', startedSeenAtMs: 1, statusReadAtMs: atMs, streamAtMs: 1 })],
      { nowMs: atMs, freeSlots: 1 },
    ).requests;
    return request !== undefined && 'key' in request ? request.key : '';
  };

  it('goes before all others for 15 s before its result can expire, and 10 s after that', () => {
    const leaving = aPlannedJob({ key: 'leaving', operation: 'runsync', startedSeenAtMs: 1, statusReadAtMs: 0 });
    expect([34_999, 35_000, 60_000, 60_001].map((atMs) => first([leaving], atMs))).toEqual([
      'stream',
      'leaving',
      'leaving',
      'stream',
    ]);
  });

  it('after a week offline is first one of a job whose ttl has not ended', () => {
    const dayMs = 86_400_000;
    const weekMs = 7 * dayMs;
    const over = Array.from({ length: 3 }, (_, index) =>
      aPlannedJob({ key: `over-${index}`, statusReadAtMs: index, ttlEndsAtMs: dayMs, isStatusReadWanted: true }),
    );
    const there = aPlannedJob({ key: 'there', statusReadAtMs: dayMs, ttlEndsAtMs: weekMs + dayMs });
    const watched = aPlannedJob({ key: 'watched', statusReadAtMs: 5, ttlEndsAtMs: dayMs, isOpened: true });
    const { requests } = planOf([...over, there, watched], { nowMs: weekMs, freeSlots: 64 });
    expect(requests.filter(({ kind }) => kind === 'status')).toEqual(
      statusReads('watched', 'there', 'over-0', 'over-1', 'over-2'),
    );
  });

  it('ranks with shown jobs once it has been due for more than 15 s', () => {
    const watched = aPlannedJob({ key: 'watched', isOpened: true, startedSeenAtMs: 1, statusReadAtMs: 990_000 });
    const firstOf = (statusReadAtMs: number): unknown[] =>
      planOf([aPlannedJob({ key: 'old', startedSeenAtMs: 1, statusReadAtMs }), watched], {
        nowMs: 1_000_000,
        free: () => 1,
      }).requests;
    expect(firstOf(970_000)).toEqual(statusReads('watched'));
    expect(firstOf(969_999)).toEqual(statusReads('old'));
  });

  it('follows forecasts if at least eight errors are known, and one for this job', () => {
    const wakeAt = (endsAtMs: number | null, errorsMs: number[]): number | null =>
      planOf([aPlannedJob({ statusReadAtMs: 60_000, startedSeenAtMs: 1_000, endsAtMs })], {
        nowMs: 60_000,
        endpointStates: [anEndpoint('a', { errorsMs, countedEnds: { ...nothingCounted, readAtMs: 60_000 } })],
      }).wakeAtMs;
    expect(wakeAt(null, good)).toBe(66_000);
    expect(wakeAt(70_000, good.slice(0, 7))).toBe(66_000);
    expect(wakeAt(70_000, good.slice(0, 8))).toBeGreaterThan(69_000);
  });
});

const queued = (count: number, changes: Partial<PlannedJob> = {}): PlannedJob[] =>
  Array.from({ length: count }, (_, at) =>
    aPlannedJob({ key: `k${at}`, acceptedAtMs: at, statusReadAtMs: 1_000, ...changes }),
  );
const countedEnds = { ...nothingCounted, finished: 0, readAtMs: 9_000, inProgress: 3 };
const starts = (
  jobs: readonly PlannedJob[],
  { free = 100, readNow = [], ends = 0, ...changes }: StartsOptions = {},
): string[] =>
  [
    ...unseenStarts(
      {
        endpoint: anEndpoint('a', { countedEnds }),
        jobs,
        readNow: new Set(readNow),
        unexplained: ends === 0 ? null : { count: ends, beforeMs: 9_000, sinceMs: 9_000, maxStarts: ends + 3 },
      },
      {
        isWindowVisible: true,
        isOnBattery: false,
        nowMs: 9_100,
        room: () => ({ free, nextAtMs: null }),
        ...changes,
      },
    ),
  ].map(({ key }) => key);

interface StartsOptions {
  free?: number;
  readNow?: readonly PlannedJob[];
  /** How many ends the counters showed that are not found yet. */
  ends?: number;
  isWindowVisible?: boolean;
  isOnBattery?: boolean;
  nowMs?: number;
}

describe('starts reported by health', () => {
  it('are searched for among the jobs that wait the longest, as many as were not seen', () => {
    expect(starts(queued(6).toReversed())).toEqual(['k0', 'k1', 'k2']);
    const seen = [aPlannedJob({ key: 'seen', startedSeenAtMs: 500, statusReadAtMs: 1_000 }), ...queued(6)];
    expect(starts(seen)).toEqual(['k0', 'k1']);
  });

  it('are not searched for again immediately after a read found none, or while no window shows them', () => {
    expect(starts(queued(6, { statusReadAtMs: 5_200 }))).toEqual([]);
    expect(starts(queued(6), { isWindowVisible: false })).toEqual([]);
    expect(starts(queued(6), { isOnBattery: true })).toEqual([]);
  });

  it('are not searched for in a job that was read as late as the health', () => {
    expect(starts(queued(6, { statusReadAtMs: 9_000 }), { nowMs: 14_000 })).toEqual([]);
    expect(starts(queued(6, { statusReadAtMs: 8_999 }), { nowMs: 14_000 })).toHaveLength(3);
  });

  it('are not searched for with requests that the ends need', () => {
    expect([0, 3, 4, 5, 90, Infinity].map((ends) => starts(queued(6), { free: 5, ends }).length)).toEqual([
      3, 2, 1, 0, 0, 0,
    ]);
  });

  it('are searched for after the jobs that have probably ended, which waited longer', () => {
    const jobs = queued(6);
    expect(starts(jobs, { readNow: jobs.slice(0, 2) })).toEqual(['k2', 'k3', 'k4']);
    const risen = { ...countedEnds, rises: [{ atMs: 9_000, ends: 2 }] };
    const { requests } = planOf(jobs, { nowMs: 9_100, endpointStates: [anEndpoint('a', { countedEnds: risen })] });
    // Two ends, one more because nothing is known of run times, and three starts.
    expect(requests.flatMap((request) => (request.kind === 'status' ? [request.key] : []))).toEqual([
      'k0',
      'k1',
      'k2',
      'k3',
      'k4',
      'k5',
    ]);
  });

  it('are read immediately, each with one request', () => {
    const { requests } = planOf(queued(6), { nowMs: 9_100, endpointStates: [anEndpoint('a', { countedEnds })] });
    expect(requests.filter(({ kind }) => kind === 'status')).toEqual(
      ['k0', 'k1', 'k2'].map((key) => ({ kind: 'status', key })),
    );
  });
});
