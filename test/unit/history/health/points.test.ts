import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unpackPoints } from '../../../../src-main/history/health/points.ts';
import { addHealth, healthTrends, healthSeries } from '../../../../src-main/history/health/samples.ts';
import type { Health, HealthPoint } from '../../../../src-preload/health.ts';
import { aDatabase } from '../a-database.ts';

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const startMs = 1_700_000_000_123;

interface Reading {
  atMs: number;
  inQueue: number;
  completed: number;
  /** Ruling 27: not every service tells it. */
  throttled: number | null;
}

const healthOf = ({ atMs, inQueue, completed, throttled }: Reading, endpointId = 'text'): Health => ({
  endpointId,
  connectionId: 'c',
  atMs,
  jobs: { completed, failed: 3, inProgress: 2, inQueue, retried: 1 },
  workers: { idle: 1, running: 4, ...(throttled === null ? {} : { throttled }) },
  extra: {},
});

function kept(db: DatabaseSync, sinceMs = 0, endpointId = 'text'): HealthPoint[] {
  return healthSeries(db, 'c', endpointId, sinceMs).flatMap(({ points }) => unpackPoints(points));
}

const floor = (atMs: number, spanMs: number): number => Math.floor(atMs / spanMs) * spanMs;

/** What should be kept, computed again from all readings: nothing in it is incremental. */
function naiveSeries(
  readings: readonly Reading[],
): Pick<HealthPoint, 'atMs' | 'spanMs' | 'inQueue' | 'maxInQueue' | 'completed' | 'throttled'>[] {
  const nowMs = readings.at(-1)?.atMs ?? 0;
  const spanOf = (atMs: number): number => {
    if (atMs >= floor(nowMs - hourMs, minuteMs)) return 0;
    return atMs >= floor(nowMs - dayMs, hourMs) ? minuteMs : hourMs;
  };
  const spans = new Map<string, Reading[]>();
  for (const reading of readings) {
    if (floor(reading.atMs, hourMs) < floor(nowMs - 365 * dayMs, dayMs)) continue;
    const spanMs = spanOf(reading.atMs);
    const id = `${spanMs} ${spanMs === 0 ? reading.atMs : floor(reading.atMs, spanMs)}`;
    spans.set(id, [...(spans.get(id) ?? []), reading]);
  }
  return [...spans].map(([id, of]) => {
    const [spanMs = 0, atMs = 0] = id.split(' ').map(Number);
    const last = of.at(-1);
    return {
      atMs,
      spanMs,
      inQueue: last?.inQueue ?? 0,
      maxInQueue: Math.max(...of.map(({ inQueue }) => inQueue)),
      completed: last?.completed ?? 0,
      throttled: last?.throttled ?? null,
    };
  });
}

/** Pauses between readings as they are: seconds while someone looks, minutes, and days with the app closed. */
const pause = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1 * secondMs, max: 20 * secondMs }) },
  { weight: 3, arbitrary: fc.integer({ min: minuteMs, max: 50 * minuteMs }) },
  { weight: 2, arbitrary: fc.integer({ min: hourMs, max: 3 * dayMs }) },
  { weight: 1, arbitrary: fc.integer({ min: 20 * dayMs, max: 200 * dayMs }) },
);
const step = fc.record({
  pauseMs: pause,
  times: fc.integer({ min: 1, max: 40 }),
  inQueue: fc.nat({ max: 500 }),
  ended: fc.nat({ max: 9 }),
  throttled: fc.option(fc.nat({ max: 5 })),
});

function readingsOf(
  steps: readonly { pauseMs: number; times: number; inQueue: number; ended: number; throttled: number | null }[],
): Reading[] {
  const readings: Reading[] = [];
  let atMs = startMs;
  let completed = 0;
  for (const { pauseMs, times, inQueue, ended, throttled } of steps) {
    for (let time = 0; time < times; time += 1) {
      atMs += time === 0 ? pauseMs : Math.min(pauseMs, 30 * secondMs);
      completed += ended;
      readings.push({ atMs, inQueue: inQueue + time, completed, throttled });
    }
  }
  return readings;
}

describe('saved health, thinned as it gets old', () => {
  it('equals at every moment the sum of all readings: nothing lost early, nothing twice', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 25 }),
        fc.infiniteStream(fc.nat({ max: 9 })),
        (steps, looks) => {
          const db = aDatabase();
          db.exec('BEGIN');
          const readings = readingsOf(steps);
          for (const [index, reading] of readings.entries()) {
            addHealth(db, healthOf(reading));
            // Checked now and then on the way, and at the end.
            if (looks.next().value !== 0 && index < readings.length - 1) continue;
            const points = kept(db);
            expect(
              points.map(({ atMs, spanMs, inQueue, maxInQueue, completed, throttled }) => ({
                atMs,
                spanMs,
                inQueue,
                maxInQueue,
                completed,
                throttled,
              })),
            ).toEqual(naiveSeries(readings.slice(0, index + 1)));
            for (const [at, point] of points.entries()) {
              const next = points[at + 1];
              if (next === undefined) continue;
              expect(point.atMs + point.spanMs).toBeLessThanOrEqual(next.atMs);
              expect(point.completed).toBeLessThanOrEqual(next.completed);
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('keeps every field of a reading', () => {
    const db = aDatabase();
    addHealth(db, {
      ...healthOf({ atMs: startMs, inQueue: 7, completed: 11, throttled: 2 }),
      workers: { idle: 1, running: 4, initializing: 5, ready: 6, throttled: 2, unhealthy: 8 },
    });
    expect(kept(db)).toEqual([
      {
        atMs: startMs,
        spanMs: 0,
        inQueue: 7,
        maxInQueue: 7,
        inProgress: 2,
        running: 4,
        idle: 1,
        initializing: 5,
        ready: 6,
        throttled: 2,
        unhealthy: 8,
        completed: 11,
        failed: 3,
        retried: 1,
      },
    ]);
  });

  it('takes no more space than an hour of readings, a day of minutes and a year of hours', () => {
    const db = aDatabase();
    // One flush for all: this is about how much is kept.
    db.exec('BEGIN');
    const readings = 3 * 3_600;
    // A year of hours first: one reading each; then every second, which is the most there can be (ruling 20).
    for (let at = 0; at < 400 * 24; at += 1)
      addHealth(db, healthOf({ atMs: startMs + at * hourMs, inQueue: 0, completed: at, throttled: 0 }));
    const fromMs = startMs + 400 * dayMs;
    for (let at = 0; at < 26 * 60; at += 1)
      addHealth(db, healthOf({ atMs: fromMs + at * minuteMs, inQueue: 0, completed: 10_000 + at, throttled: 0 }));
    for (let at = 0; at < readings; at += 1)
      addHealth(
        db,
        healthOf({ atMs: fromMs + 26 * hourMs + at * secondMs, inQueue: 0, completed: 20_000 + at, throttled: 0 }),
      );
    const spans = Map.groupBy(kept(db), ({ spanMs }) => spanMs);
    const count = (spanMs: number): number => spans.get(spanMs)?.length ?? 0;
    // The oldest minute, hour and day are let go as a whole.
    expect(count(0)).toBeLessThanOrEqual(3_600 + 60);
    expect(count(0)).toBeGreaterThanOrEqual(3_600);
    expect(count(minuteMs)).toBeLessThanOrEqual(1_440 + 60);
    expect(count(hourMs)).toBeLessThanOrEqual(8_760 + 24);
    expect(count(hourMs)).toBeGreaterThanOrEqual(8_700);
    const rows = db
      .prepare('SELECT (SELECT count(*) FROM health_samples) + (SELECT count(*) FROM health_blocks) AS rows')
      .get();
    expect(rows?.['rows']).toBeLessThanOrEqual(3_660 + 25 + 367);
  });

  it('returns points from a given time on, including the span that reaches into it', () => {
    const db = aDatabase();
    for (let at = 0; at < 180; at += 1)
      addHealth(db, healthOf({ atMs: startMs + at * minuteMs + 5_000, inQueue: at, completed: at, throttled: null }));
    const all = kept(db);
    const minutes = all.filter(({ spanMs }) => spanMs === minuteMs);
    const [, second] = minutes;
    expect(second).toBeDefined();
    if (second === undefined) return;
    expect(kept(db, second.atMs + 1)).toEqual(all.slice(all.indexOf(second)));
    expect(kept(db, second.atMs + minuteMs)).toEqual(all.slice(all.indexOf(second) + 1));
    expect(kept(db, (all.at(-1)?.atMs ?? 0) + 1)).toEqual([]);
    expect(healthSeries(db, 'c', null, (all.at(-1)?.atMs ?? 0) + 1)).toEqual([]);
  });

  it('is separate for each endpoint', () => {
    const db = aDatabase();
    for (let at = 0; at < 90; at += 1)
      for (const endpointId of ['a', 'b'])
        addHealth(
          db,
          healthOf(
            { atMs: startMs + at * minuteMs, inQueue: at, completed: endpointId === 'a' ? 0 : at, throttled: null },
            endpointId,
          ),
        );
    addHealth(db, { ...healthOf({ atMs: startMs, inQueue: 1, completed: 1, throttled: null }), connectionId: 'other' });
    expect(
      healthSeries(db, 'c', null, 0).map(({ endpointId, points }) => [endpointId, unpackPoints(points).length]),
    ).toEqual([
      ['a', 90],
      ['b', 90],
    ]);
    expect(kept(db, 0, 'a').every(({ completed }) => completed === 0)).toBe(true);
  });

  it('deletes points in the future when the machine’s clock is put back', () => {
    const db = aDatabase();
    db.exec('BEGIN');
    const wrongMs = startMs + 30 * dayMs;
    for (let at = 0; at < 50 * 60; at += 1)
      addHealth(db, healthOf({ atMs: startMs + at * minuteMs, inQueue: 0, completed: at, throttled: null }));
    addHealth(db, healthOf({ atMs: wrongMs, inQueue: 9, completed: 3_000, throttled: null }));
    const rightMs = startMs + 50 * hourMs + 10_000;
    addHealth(db, healthOf({ atMs: rightMs, inQueue: 1, completed: 3_001, throttled: null }));
    const points = kept(db);
    expect(points.at(-1)).toMatchObject({ atMs: rightMs, spanMs: 0, inQueue: 1 });
    expect(points.every(({ atMs, spanMs }) => atMs + spanMs <= rightMs)).toBe(true);
    expect(points.length).toBeGreaterThan(40);
    // An answer that another one overtook is no clock put back.
    addHealth(db, healthOf({ atMs: rightMs - 2_000, inQueue: 2, completed: 3_001, throttled: null }));
    expect(
      kept(db)
        .slice(-2)
        .map(({ inQueue }) => inQueue),
    ).toEqual([2, 1]);
  });

  it('keeps the half hour of a trend in single readings', () => {
    const db = aDatabase();
    for (let at = 0; at < 7_200; at += 5)
      addHealth(db, healthOf({ atMs: startMs + at * secondMs, inQueue: at, completed: at, throttled: null }));
    const sinceMs = startMs + 7_195 * secondMs - 30 * minuteMs;
    expect(healthTrends(db, 'c', sinceMs)).toMatchObject([{ endpointId: 'text', samples: { length: 361 } }]);
  });
});
