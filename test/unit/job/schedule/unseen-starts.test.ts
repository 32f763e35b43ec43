import { describe, expect, it } from 'vitest';
import { nothingCounted } from '../../../../src-main/job/schedule/counted-ends.ts';
import { unseenStarts } from '../../../../src-main/job/schedule/unseen-starts.ts';
import type { PlannedJob } from '../../../../src-main/job/schedule/plan.ts';
import { anEndpoint, aPlannedJob, planOf } from './schedule-world.ts';

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
