import { describe, expect, it } from 'vitest';
import type { HealthPoint } from '../../../../src-preload/health.ts';
import { budgetRows } from '../../../../src-renderer/health/budget-rows.ts';
import {
  clearingFigure,
  lastIdleTakenMs,
  queuedBefore,
  durationFigure,
  workersSeen,
} from '../../../../src-renderer/health/figures.ts';
import { progressNote, queueNote, workersNote } from '../../../../src-renderer/messages/health/figures.ts';
import { oldestWaiting, withJobs } from '../../../../src-renderer/health/our-jobs.ts';
import { sparkSteps } from '../../../../src-renderer/health/endpoint-rows.tsx';
import { tableLines } from '../../../../src-renderer/health/values-table.tsx';
import { aJob } from '../../../kit/a-job.ts';
import { aPoint, readings } from './points.ts';

const minute = 60_000;

const noteOf = (points: readonly HealthPoint[], nowMs: number): string =>
  queueNote(points.at(-1)?.inQueue ?? 0, queuedBefore(points, nowMs));

describe('notes of the figures', () => {
  it('compare the queue with ten minutes ago, if that was sampled', () => {
    const points = readings(0, 133, (index) => ({ inQueue: index < 60 ? 3 : 12 }));
    expect(noteOf(points, 660_000)).toBe('up from 3, 10 min ago');
    const steady = readings(0, 133, () => ({ inQueue: 2 }));
    expect(noteOf(steady, 660_000)).toBe('same as 10 min ago');
    const silent = [aPoint(0, { inQueue: 1 }), aPoint(20 * minute, { inQueue: 4 })];
    expect(noteOf(silent, 20 * minute)).toBe('waiting for a worker');
    expect(noteOf([aPoint(0)], 0)).toBe('queue empty');
  });

  it('show how work is spread over workers', () => {
    expect(progressNote(aPoint(0, { inProgress: 5, running: 5 }))).toBe('one per worker');
    expect(progressNote(aPoint(0, { inProgress: 9, running: 3 }))).toBe('on 3 running workers');
    expect(progressNote(aPoint(0))).toBe('no busy worker');
  });

  it('count workers, including those reported without a known state', () => {
    expect(workersSeen([aPoint(0, { running: 2, idle: 3 }), aPoint(1, { running: 1, idle: 0 })])).toBe(5);
    expect(workersNote(aPoint(0, { idle: 0, initializing: 2, throttled: 0 }), null)).toBe('0 idle, 2 starting');
    const health = {
      connectionId: 'c',
      endpointId: 'e',
      atMs: 0,
      jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
      workers: { idle: 1, running: 0 },
      extra: { 'workers.draining': 3, 'jobs.odd': 9 },
    };
    expect(workersNote(aPoint(0), health)).toBe('1 idle, 3 draining');
  });

  it('show waits and clearing times, and say if none is known', () => {
    expect([durationFigure(9_600), durationFigure(252_000), durationFigure(7_384_000)]).toEqual([
      { value: '9', unit: 's' },
      { value: '4:12', unit: 'min' },
      { value: '2:03:04', unit: 'h' },
    ]);
    expect(clearingFigure({ kind: 'known', ms: 110_000 })).toEqual({
      value: '1:50',
      unit: 'min',
      note: 'if nothing else arrives',
    });
    expect(clearingFigure({ kind: 'unknown', why: 'nothing-ended' }).note).toMatch(/^unknown/);
  });

  it('know when the last idle worker was used, while jobs wait', () => {
    const points = [
      aPoint(0, { idle: 2 }),
      aPoint(5_000, { idle: 0, running: 3, inQueue: 1 }),
      aPoint(10_000, { idle: 0, running: 3, inQueue: 2 }),
    ];
    expect(lastIdleTakenMs(points)).toBe(5_000);
    expect(lastIdleTakenMs([...points, aPoint(15_000, { idle: 1, running: 2, inQueue: 1 })])).toBeNull();
    expect(
      lastIdleTakenMs([aPoint(0, { idle: 2 }), aPoint(10 * minute, { idle: 0, running: 3, inQueue: 1 })]),
    ).toBeNull();
  });
});

describe('our own jobs', () => {
  const job = (key: string, changes: Partial<ReturnType<typeof aJob>>) =>
    aJob({ key, connectionId: 'c', endpointId: 'mock', phase: 'active', status: 'IN_QUEUE', ...changes });

  it('appear, start running and go; those of other endpoints are not included', () => {
    const own = withJobs(
      {},
      [job('a', { acceptedAtMs: 2_000 }), job('b', { acceptedAtMs: 1_000 }), job('x', { endpointId: 'text' })],
      'c',
      'mock',
    );
    expect(Object.keys(own)).toEqual(['a', 'b']);
    expect(oldestWaiting(own)?.key).toBe('b');
    const next = withJobs(own, [job('b', { status: 'IN_PROGRESS' })], 'c', 'mock');
    expect(oldestWaiting(next)?.key).toBe('a');
    expect(
      oldestWaiting(withJobs(next, [job('a', { phase: 'finished', status: 'COMPLETED' })], 'c', 'mock')),
    ).toBeNull();
  });

  it('are the same object if nothing changed', () => {
    const own = withJobs({}, [job('a', {})], 'c', 'mock');
    expect(withJobs(own, [job('a', {}), job('z', { phase: 'finished' })], 'c', 'mock')).toBe(own);
  });
});

describe('request budget', () => {
  const of = { connectionId: 'c', endpointId: 'mock' };
  const budget = {
    ...of,
    operation: 'status',
    spent: 143,
    allowed: 500,
    limit: 2_000,
    heldUntilMs: null,
    heldSinceMs: null,
    backoffStep: 0,
    reason: null,
  };

  it('shows the usual operations with Jobdeck’s share, and the use of this endpoint', () => {
    const rows = budgetRows(
      [
        budget,
        { ...budget, endpointId: 'text', spent: 9 },
        { ...budget, operation: 'health' },
        { ...budget, operation: 'runsync', spent: 1 },
      ],
      of,
      { share: 0.25, nowMs: 1_000, readAtMs: 0, closures: [] },
    );
    expect(rows.map((row) => `${row.operation} ${row.spent}/${row.allowed}`)).toEqual([
      'run 0/250',
      'status 143/500',
      'stream 0/500',
      'cancel 0/25',
      'purge-queue 0/1',
      'runsync 1/500',
    ]);
  });

  it('marks a currently refused operation, at this endpoint only (ruling 35)', () => {
    const closure = {
      ...of,
      operation: 'cancel',
      httpStatus: 403,
      path: '/',
      serviceSaid: null,
      sinceMs: 0,
      nextTryMs: 9_000,
    };
    const refused = (endpointId: string): string[] =>
      budgetRows([], of, { share: 0.25, nowMs: 0, readAtMs: 0, closures: [{ ...closure, endpointId }] })
        .filter((row) => row.closure !== null)
        .map((row) => row.operation);
    expect(refused('mock')).toEqual(['cancel']);
    expect(refused('text')).toEqual([]);
  });

  it('drops figures after ten seconds, and counts a back-off down', () => {
    const [, status] = budgetRows([{ ...budget, heldUntilMs: 14_200 }], of, {
      share: 0.25,
      nowMs: 11_000,
      readAtMs: 0,
      closures: [],
    });
    expect(status).toMatchObject({ spent: 0, heldForS: 4 });
  });
});

describe('table and small chart', () => {
  it('lists newest first, with silences named and rises since the row below', () => {
    const points = [
      ...readings(0, 3, (index) => ({ completed: index })),
      ...readings(600_000, 2, (index) => ({ completed: 9 + index })),
    ];
    const lines = tableLines(points, 0, 605_000, 5_000);
    expect(lines.map((line) => (line.kind === 'gap' ? 'gap' : line.row.point.atMs))).toEqual([600_000, 'gap', 0]);
    const short = tableLines(points.slice(0, 3), 0, 15_000, 5_000);
    expect(short.map((line) => (line.kind === 'row' ? line.row.risen.completed : 'gap'))).toEqual([1, 1, null]);
  });

  it('draws nothing over time without samples', () => {
    expect(sparkSteps([], 0, minute, { width: 100, height: 20 })).toEqual({ queued: '', running: '' });
    const { running } = sparkSteps([aPoint(0, { inProgress: 4 }), aPoint(30_000, { inProgress: 0 })], 0, minute, {
      width: 100,
      height: 20,
    });
    expect(running).toBe('M0 19V1H50V19Z');
  });
});
