import { readingValidMs } from '../../../src-preload/alert.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlertCondition } from '../../../src-preload/alert.ts';
import { evaluate, slowRunValidMs } from '../../../src-main/alerts/evaluate.ts';
import {
  addSavedReadings,
  addLongRun,
  addReading,
  statusValidMs,
  noFacts,
  noteEnd,
  noteJob,
  trimFacts,
} from '../../../src-main/alerts/endpoint-facts.ts';
import type { EndpointFacts, AlertReading } from '../../../src-main/alerts/endpoint-facts.ts';
import { aJob } from '../../kit/a-job.ts';

const stuck: AlertCondition = { kind: 'stuck-queue', overJobs: 5, forMs: 120_000, isNoneIdle: true };
const burst: AlertCondition = { kind: 'failure-burst', overFailures: 3, withinMs: 300_000 };
const noWorker: AlertCondition = { kind: 'no-worker', forMs: 60_000 };
const longWait: AlertCondition = { kind: 'long-wait', overMs: 300_000 };

const reading = (atMs: number, changes: Partial<AlertReading> = {}): AlertReading => ({
  atMs,
  untilMs: atMs,
  inQueue: 0,
  failed: 0,
  idle: 0,
  running: 1,
  starting: 0,
  ...changes,
});
function known(...readings: AlertReading[]): EndpointFacts {
  const facts = noFacts();
  for (const one of readings) addReading(facts, one);
  return facts;
}
/** The same reading every `everyMs`. */
function steady(fromMs: number, untilMs: number, changes: Partial<AlertReading>, everyMs = 3_000): AlertReading[] {
  const all: AlertReading[] = [];
  for (let atMs = fromMs; atMs <= untilMs; atMs += everyMs) all.push(reading(atMs, changes));
  return all;
}

describe('a stuck queue', () => {
  const full = { inQueue: 12 };
  it('is pending until it has lasted long enough, and says when that is', () => {
    const facts = known(reading(0, { inQueue: 5 }), ...steady(1_000, 60_000, full));
    expect(evaluate(stuck, facts, 60_000)).toMatchObject({
      result: 'met',
      isFiring: false,
      sinceMs: 1_000,
      nextChangeAtMs: 121_000,
    });
  });
  it('fires when it has lasted long enough', () => {
    expect(evaluate(stuck, known(...steady(0, 120_000, full)), 120_000)).toMatchObject({
      isFiring: true,
      sinceMs: 0,
      nextChangeAtMs: null,
    });
    expect(evaluate(stuck, known(...steady(0, 120_000, full)), 119_999)).toMatchObject({
      isFiring: false,
      nextChangeAtMs: 120_000,
    });
  });
  it('is not reported with an idle worker, unless the rule ignores that', () => {
    const facts = known(...steady(0, 120_000, { ...full, idle: 1 }));
    expect(evaluate(stuck, facts, 120_000)).toMatchObject({ result: 'clear', isFiring: false });
    expect(evaluate({ ...stuck, isNoneIdle: false }, facts, 120_000)).toMatchObject({ isFiring: true });
  });
  it('starts again after a moment in which it was clear', () => {
    expect(
      evaluate(
        stuck,
        known(...steady(0, 90_000, full), reading(91_000, { inQueue: 2 }), ...steady(92_000, 130_000, full)),
        130_000,
      ),
    ).toMatchObject({ isFiring: false, sinceMs: 92_000 });
  });
  it('claims nothing about a time without readings', () => {
    const facts = known(...steady(0, 30_000, full), ...steady(600_000, 630_000, full));
    expect(evaluate(stuck, facts, 630_000)).toMatchObject({ isFiring: false, sinceMs: 600_000 });
  });
  it('is unknown when the newest reading is old, and reports in advance when that is', () => {
    const facts = known(reading(0, full));
    expect(evaluate(stuck, facts, 10_000)).toMatchObject({ result: 'met', nextChangeAtMs: readingValidMs + 1 });
    expect(evaluate(stuck, facts, readingValidMs + 1)).toMatchObject({
      result: 'unknown',
      isFiring: false,
      nextChangeAtMs: null,
    });
  });
  it('continues over a gap while one of our jobs is seen waiting throughout', () => {
    const facts = known(reading(0, full), reading(150_000, full));
    noteJob(facts, aJob({ acceptedAtMs: -5_000, statusReadAtMs: 149_000 }));
    expect(evaluate(stuck, facts, 150_000)).toMatchObject({ isFiring: false, sinceMs: 150_000 });
    noteJob(facts, aJob({ acceptedAtMs: -5_000, statusReadAtMs: 151_000 }));
    expect(evaluate(stuck, facts, 151_000)).toMatchObject({ isFiring: true, sinceMs: 0 });
  });
  it('lasts as long as one of our jobs that waited then is still seen waiting', () => {
    const facts = known(reading(0, full));
    noteJob(facts, aJob({ acceptedAtMs: -1, statusReadAtMs: 100_000 }));
    expect(evaluate(stuck, facts, 125_000)).toMatchObject({ isFiring: true, sinceMs: 0 });
  });
});

describe('readings', () => {
  it('saved by a former run come before later ones', () => {
    const all = steady(0, 90_000, { inQueue: 12 });
    const facts = known(...all.slice(20));
    addSavedReadings(facts, all.slice(0, 25));
    expect(facts).toEqual(known(...all));
  });
});

describe('no worker', () => {
  it('fires while jobs wait and no worker is running or starting', () => {
    const none = { inQueue: 1, running: 0 };
    expect(evaluate(noWorker, known(...steady(0, 60_000, none)), 60_000)).toMatchObject({ isFiring: true });
    expect(evaluate(noWorker, known(...steady(0, 60_000, { ...none, starting: 1 })), 60_000)).toMatchObject({
      result: 'clear',
    });
    expect(evaluate(noWorker, known(...steady(0, 60_000, { ...none, inQueue: 0 })), 60_000)).toMatchObject({
      result: 'clear',
    });
  });
});

describe('a failure burst', () => {
  it('counts how far the counter rose within the window, and ends when enough has left the window', () => {
    const facts = known(reading(0), reading(10_000, { failed: 2 }), reading(20_000, { failed: 4 }));
    expect(evaluate(burst, facts, 20_000)).toMatchObject({ isFiring: true, sinceMs: 20_000, nextChangeAtMs: 310_000 });
    expect(evaluate(burst, facts, 310_000)).toMatchObject({ isFiring: false, result: 'clear' });
    expect(evaluate(burst, known(reading(0), reading(10_000, { failed: 3 })), 20_000)).toMatchObject({
      isFiring: false,
    });
  });
  it('counts our own failures if the counter is not read, and never both', () => {
    const facts = known(reading(0), reading(10_000, { failed: 2 }));
    for (const key of ['a', 'b', 'c'])
      noteEnd(
        facts,
        aJob({ key, phase: 'finished', status: 'FAILED', acceptedAtMs: 5_000, finishedSeenAtMs: 9_000 }),
        9_000,
      );
    expect(evaluate(burst, facts, 10_000).isFiring).toBe(false);
    noteEnd(
      facts,
      aJob({ key: 'd', phase: 'finished', status: 'TIMED_OUT', acceptedAtMs: 5_000, finishedSeenAtMs: 9_500 }),
      9_500,
    );
    expect(evaluate(burst, facts, 10_000).isFiring).toBe(true);
  });
  it('does not count a completed or cancelled job as failed', () => {
    const facts = noFacts();
    for (const [key, status] of Object.entries({ a: 'COMPLETED', b: 'CANCELLED', c: 'COMPLETED', d: 'CANCELLED' }))
      noteEnd(facts, aJob({ key, phase: 'finished', status, finishedSeenAtMs: 9_000 }), 9_000);
    expect(evaluate({ ...burst, overFailures: 0 }, facts, 10_000).isFiring).toBe(false);
  });
  it('starts again with a counter that fell', () => {
    const facts = known(reading(0, { failed: 100 }), reading(10_000, { failed: 2 }), reading(20_000, { failed: 4 }));
    expect(evaluate(burst, facts, 20_000).isFiring).toBe(false);
    expect(evaluate({ ...burst, overFailures: 1 }, facts, 20_000).isFiring).toBe(true);
  });
  it('counts of a rise over a gap only what certainly lies in the window', () => {
    const facts = known(reading(0), reading(1_000_000, { failed: 50 }));
    expect(evaluate(burst, facts, 1_000_000).isFiring).toBe(false);
    expect(evaluate({ ...burst, withinMs: 2_000_000 }, facts, 1_000_000).isFiring).toBe(true);
  });
  it('does not include jobs that failed at an unknown time between reads', () => {
    const facts = noFacts();
    for (const key of ['a', 'b', 'c', 'd']) {
      noteJob(facts, aJob({ key, statusReadAtMs: 0 }));
      noteEnd(facts, aJob({ key, phase: 'finished', status: 'FAILED', finishedSeenAtMs: 1_000_000 }), 1_000_000);
    }
    expect(evaluate(burst, facts, 1_000_000).isFiring).toBe(false);
  });
});

describe('a long wait', () => {
  it('fires for a job that waits, and knows in advance when', () => {
    const facts = noFacts();
    noteJob(facts, aJob({ acceptedAtMs: 0, statusReadAtMs: 250_000 }));
    expect(evaluate(longWait, facts, 250_000)).toMatchObject({ isFiring: false, nextChangeAtMs: 300_000 });
    expect(evaluate(longWait, facts, 300_000)).toMatchObject({ isFiring: true, sinceMs: 300_000 });
    noteJob(facts, aJob({ acceptedAtMs: 0, statusReadAtMs: 301_000, status: 'IN_PROGRESS' }));
    expect(evaluate(longWait, facts, 302_000)).toMatchObject({ result: 'clear' });
  });
  it('is unknown for a job that was not read for a long time', () => {
    const facts = noFacts();
    noteJob(facts, aJob({ acceptedAtMs: 0, statusReadAtMs: 10_000 }));
    expect(evaluate(longWait, facts, 10_000 + statusValidMs + 200_000)).toMatchObject({
      result: 'unknown',
      isFiring: false,
    });
  });
  it('counts a retried job from its retry on', () => {
    const facts = noFacts();
    noteJob(facts, aJob({ acceptedAtMs: 0, attempt: 2, statusReadAtMs: 400_000 }));
    noteJob(facts, aJob({ acceptedAtMs: 0, attempt: 2, statusReadAtMs: 500_000 }));
    expect(evaluate(longWait, facts, 500_000)).toMatchObject({ isFiring: false, nextChangeAtMs: null });
    noteJob(facts, aJob({ acceptedAtMs: 0, attempt: 2, statusReadAtMs: 600_000 }));
    expect(evaluate(longWait, facts, 700_000)).toMatchObject({ isFiring: true, sinceMs: 700_000 });
  });
});

describe('slow runs', () => {
  it('are reported for a while', () => {
    const facts = noFacts();
    addLongRun(facts, { atMs: 1_000, executionMs: 2_000, p95Ms: 1_000 });
    expect(evaluate({ kind: 'slow-runs', timesP95: 2 }, facts, 1_000).isFiring).toBe(false);
    addLongRun(facts, { atMs: 2_000, executionMs: 2_001, p95Ms: 1_000 });
    expect(evaluate({ kind: 'slow-runs', timesP95: 2 }, facts, 2_000)).toMatchObject({
      isFiring: true,
      nextChangeAtMs: 2_000 + slowRunValidMs,
    });
    expect(evaluate({ kind: 'slow-runs', timesP95: 2 }, facts, 2_000 + slowRunValidMs).isFiring).toBe(false);
  });
});

const anyReading = fc.record({
  stepMs: fc.integer({ min: 1, max: 200_000 }),
  inQueue: fc.integer({ min: 0, max: 8 }),
  failed: fc.integer({ min: 0, max: 20 }),
  idle: fc.integer({ min: 0, max: 1 }),
  running: fc.integer({ min: 0, max: 1 }),
});
const anyHistory = fc.array(anyReading, { maxLength: 40 }).map((steps) => {
  let atMs = 0;
  return steps.map(({ stepMs, ...rest }) => reading((atMs += stepMs), rest));
});
const anyCondition = fc.oneof(
  fc.record({
    kind: fc.constant('stuck-queue' as const),
    overJobs: fc.integer({ min: 0, max: 6 }),
    forMs: fc.integer({ min: 1_000, max: 300_000 }),
    isNoneIdle: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('failure-burst' as const),
    overFailures: fc.integer({ min: 0, max: 10 }),
    withinMs: fc.integer({ min: 1_000, max: 600_000 }),
  }),
  fc.record({ kind: fc.constant('no-worker' as const), forMs: fc.integer({ min: 1_000, max: 300_000 }) }),
);

describe('any facts', () => {
  it('change a verdict at the named time and not before', () => {
    fc.assert(
      fc.property(anyHistory, anyCondition, fc.integer({ min: 0, max: 400_000 }), (readings, condition, laterMs) => {
        const facts = known(...readings);
        const nowMs = (readings.at(-1)?.atMs ?? 0) + laterMs;
        const { isFiring, nextChangeAtMs } = evaluate(condition, facts, nowMs);
        const before = (nextChangeAtMs ?? nowMs + 10_000_000) - 1;
        // A firing gauge has no time of its own: only a reading, or the lack of one, ends it.
        if (isFiring && nextChangeAtMs === null) return;
        expect(evaluate(condition, facts, Math.max(nowMs, before)).isFiring).toBe(isFiring);
        if (nextChangeAtMs === null) return;
        expect(nextChangeAtMs).toBeGreaterThan(nowMs);
        const then = evaluate(condition, facts, nextChangeAtMs);
        expect(then.isFiring !== isFiring || then.result === 'unknown').toBe(true);
      }),
    );
  });

  it('of a firing gauge cover its time without a gap', () => {
    fc.assert(
      fc.property(anyHistory, fc.integer({ min: 0, max: 100_000 }), (readings, laterMs) => {
        const nowMs = (readings.at(-1)?.atMs ?? 0) + laterMs;
        const { isFiring } = evaluate({ ...stuck, isNoneIdle: false }, known(...readings), nowMs);
        if (!isFiring) return;
        const inTime = readings.filter(({ atMs }) => atMs >= nowMs - 120_000);
        expect(inTime.every(({ inQueue }) => inQueue > 5)).toBe(true);
        const times = [...readings.filter(({ atMs }) => atMs < nowMs - 120_000).slice(-1), ...inTime].map(
          ({ atMs }) => atMs,
        );
        expect(times.every((atMs, index) => (times[index + 1] ?? nowMs) - atMs <= readingValidMs)).toBe(true);
      }),
    );
  });

  it('are judged the same after data that no rule needs was deleted', () => {
    fc.assert(
      fc.property(anyHistory, anyCondition, (readings, condition) => {
        const nowMs = readings.at(-1)?.atMs ?? 0;
        const trimmed = known(...readings);
        trimFacts(trimmed, nowMs - 600_000);
        const { isFiring, result } = evaluate(condition, known(...readings), nowMs);
        expect(evaluate(condition, trimmed, nowMs)).toMatchObject({ isFiring, result });
      }),
    );
  });
});
