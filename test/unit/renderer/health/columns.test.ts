import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chartColumns, isReported, rowAt } from '../../../../src-renderer/health/columns.ts';
import { jobLayers, stacked, workerLayers } from '../../../../src-renderer/health/layers.ts';
import { isSilence, maxSilenceMs, runsOf, thin, withPoints } from '../../../../src-renderer/health/runs.ts';
import { aPoint, readings } from './points.ts';

const minute = 60_000;

describe('silences', () => {
  it('separate readings that are 90 s apart or more, and no nearer ones', () => {
    expect(isSilence(aPoint(0), maxSilenceMs)).toBe(true);
    expect(isSilence(aPoint(0), maxSilenceMs - 1)).toBe(false);
  });

  it('ignore a missing minute and not a missing hour', () => {
    expect(isSilence(aPoint(0, { spanMs: minute }), 2 * minute)).toBe(false);
    expect(isSilence(aPoint(0, { spanMs: minute }), 2.5 * minute)).toBe(true);
    expect(isSilence(aPoint(0, { spanMs: 60 * minute }), 60 * minute)).toBe(false);
    expect(isSilence(aPoint(0, { spanMs: 60 * minute }), 120 * minute)).toBe(true);
  });

  it('lose no point of the runs', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 200_000 })), (steps) => {
        let atMs = 0;
        const points = steps.map((step) => aPoint((atMs += step)));
        expect(runsOf(points).flat()).toEqual(points);
      }),
    );
  });
});

describe('thin', () => {
  it('keeps the maximum that waited and the last value of everything else', () => {
    const [one] = thin([aPoint(0, { inQueue: 9, running: 1 }), aPoint(4_000, { inQueue: 2, running: 3 })], 10_000);
    expect(one).toMatchObject({ atMs: 0, spanMs: 4_000, inQueue: 2, maxInQueue: 9, running: 3 });
  });

  it('leaves points unchanged that span more than a column', () => {
    const hours = [aPoint(0, { spanMs: 60 * minute }), aPoint(60 * minute, { spanMs: 60 * minute })];
    expect(thin(hours, 15 * minute)).toEqual(hours);
  });
});

describe('withPoints', () => {
  it('adds newer points only, and drops the old ones', () => {
    const points = readings(100_000, 3);
    const next = withPoints(points, [aPoint(110_000), aPoint(115_000)], 105_000);
    expect(next.map((point) => point.atMs)).toEqual([105_000, 110_000, 115_000]);
  });
});

describe('chartColumns', () => {
  const hour = 60 * minute;

  it('never joins across a silence: nulls follow its beginning, and it is a gap', () => {
    const points = [
      ...readings(10 * minute, 12, () => ({ inQueue: 4 })),
      ...readings(20 * minute, 480, () => ({ inQueue: 7 })),
    ];
    const columns = chartColumns(points, 0, hour, 5_000);
    expect(columns.gaps).toEqual([
      { fromMs: 0, toMs: 10 * minute },
      { fromMs: 10 * minute + 60_000, toMs: 20 * minute },
    ]);
    const end = columns.atMs.indexOf(10 * minute + 60_001);
    expect(columns.values.queued.slice(end - 1, end + 2)).toEqual([4, null, 7]);
  });

  it('keeps the last value until now while it is fresh', () => {
    const columns = chartColumns(
      readings(hour - 20_000, 3, () => ({ running: 2 })),
      hour - minute,
      hour,
      1_000,
    );
    expect(columns.atMs.at(-1)).toBe(hour);
    expect(columns.values.running.at(-1)).toBe(2);
  });

  it('ends if the last reading is old, and is all gap without any', () => {
    const columns = chartColumns(readings(10 * minute, 3), 0, hour, 5_000);
    expect(columns.values.running.at(-1)).toBeNull();
    expect(columns.gaps.at(-1)).toEqual({ fromMs: 10 * minute + 15_000, toMs: hour });
    expect(chartColumns([], 0, hour, 5_000)).toMatchObject({ atMs: [], gaps: [{ fromMs: 0, toMs: hour }] });
  });

  it('begins with the value that was valid at the left edge', () => {
    const columns = chartColumns(
      readings(0, 120, (index) => ({ running: index })),
      300_000,
      595_000,
      1_000,
    );
    expect(columns.atMs[0]).toBe(300_000);
    expect(columns.values.running[0]).toBe(60);
  });

  it('ascends in time, for any input', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 400_000 }), fc.constantFrom(0, 0, 0, minute)), { maxLength: 60 }),
        fc.integer({ min: 1_000, max: 300_000 }),
        (steps, columnMs) => {
          let atMs = 0;
          const points = steps.map(([step, spanMs]) => aPoint((atMs += step + spanMs), { spanMs }));
          const columns = chartColumns(points, atMs / 3, atMs + 10_000, columnMs);
          expect(columns.atMs).toEqual([...new Set(columns.atMs)].sort((one, other) => one - other));
          for (const gap of columns.gaps) expect(gap.toMs).toBeGreaterThan(gap.fromMs);
        },
      ),
    );
  });
});

describe('the drawn data', () => {
  it('stacks queued on in progress, and nothing if nothing is known', () => {
    const columns = chartColumns(
      [aPoint(0, { inQueue: 5, inProgress: 2 }), aPoint(500_000, { inQueue: 0, inProgress: 3 })],
      0,
      505_000,
      1_000,
    );
    expect(stacked(columns, jobLayers)).toEqual([
      [7, 7, null, 3, 3],
      [2, 2, null, 3, 3],
    ]);
  });

  it('shows the further worker states only if the service reports them', () => {
    const spec = chartColumns([aPoint(0)], 0, 10_000, 1_000);
    const observed = chartColumns(
      [aPoint(0, { initializing: 1, ready: 0, throttled: 0, unhealthy: 0 })],
      0,
      10_000,
      1_000,
    );
    expect(workerLayers(spec).map((layer) => layer.gauge)).toEqual(['running', 'idle']);
    expect(workerLayers(observed).map((layer) => layer.gauge)).toEqual([
      'running',
      'idle',
      'initializing',
      'throttled',
      'unhealthy',
    ]);
    expect([isReported(spec, 'ready'), isReported(observed, 'ready')]).toEqual([false, true]);
  });

  it('finds the row that is valid at a time', () => {
    const columns = chartColumns(readings(0, 4), 0, 17_000, 1_000);
    expect([-1, 0, 4_999, 5_000, 99_000].map((atMs) => rowAt(columns, atMs))).toEqual([0, 0, 0, 1, 4]);
    expect(rowAt(chartColumns([], 0, 10, 1), 5)).toBe(-1);
  });
});
