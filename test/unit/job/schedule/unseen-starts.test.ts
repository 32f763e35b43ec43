import { describe, expect, it } from 'vitest';
import { openGate } from '../../../../src-main/job/schedule/health-gate.ts';
import { unseenStarts } from '../../../../src-main/job/schedule/unseen-starts.ts';
import type { PlannedJob } from '../../../../src-main/job/schedule/plan.ts';
import { aGroup, aPlannedJob, planOf } from './schedule-world.ts';

const queued = (count: number, changes: Partial<PlannedJob> = {}): PlannedJob[] =>
  Array.from({ length: count }, (_, at) =>
    aPlannedJob({ key: `k${at}`, acceptedAtMs: at, statusReadAtMs: 1_000, ...changes }),
  );
const gate = { ...openGate, finished: 0, readAtMs: 9_000, inProgress: 3 };
const starts = (jobs: readonly PlannedJob[], changes = {}): string[] =>
  [
    ...unseenStarts(aGroup('a', { gate }), jobs, {
      isWindowVisible: true,
      isOnBattery: false,
      nowMs: 9_100,
      ...changes,
    }),
  ].map(({ key }) => key);

describe('starts that health tells of', () => {
  it('are looked for among the jobs that wait the longest, as many as were not seen', () => {
    expect(starts(queued(6).toReversed())).toEqual(['k0', 'k1', 'k2']);
    const seen = [aPlannedJob({ key: 'seen', startedSeenAtMs: 500, statusReadAtMs: 1_000 }), ...queued(6)];
    expect(starts(seen)).toEqual(['k0', 'k1']);
  });

  it('are not looked for again at once where a read found none, nor while nobody looks', () => {
    expect(starts(queued(6, { statusReadAtMs: 5_200 }))).toEqual([]);
    expect(starts(queued(6), { isWindowVisible: false })).toEqual([]);
    expect(starts(queued(6), { isOnBattery: true })).toEqual([]);
  });

  it('are read at once, each with one request', () => {
    const { requests } = planOf(queued(6), { nowMs: 9_100, endpointStates: [aGroup('a', { gate })] });
    expect(requests.filter(({ kind }) => kind === 'status')).toEqual(
      ['k0', 'k1', 'k2'].map((key) => ({ kind: 'status', key })),
    );
  });
});
