import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnosis, DiagnosisKind } from '../../../../src-preload/diagnosis.ts';
import type { HealthPoint } from '../../../../src-preload/health.ts';
import { diagnose } from '../../../../src-main/health/diagnosis/diagnose.ts';
import type { DiagnosisInput } from '../../../../src-main/health/diagnosis/diagnose.ts';
import { readRecordings } from '../../../kit/health-recording-files.ts';
import { inputAt } from '../../../kit/health-recording.ts';
import { healthyScenarios } from '../../../kit/health-recording-scenarios.ts';
import { inputOf, pointAt, startMs } from './points.ts';

/** Why jobs wait or fail: at most one of these is shown. */
const holds: ReadonlySet<DiagnosisKind> = new Set<DiagnosisKind>([
  'no-workers',
  'cold-start',
  'throttled',
  'all-busy',
  'crash-looping',
]);
const byHealth: ReadonlySet<DiagnosisKind> = new Set<DiagnosisKind>([...holds, 'outlives-ttl']);
const rank: Record<Diagnosis['severity'], number> = { critical: 0, warning: 1, notice: 2 };

const someTime = fc.oneof(
  fc.integer({ min: startMs - 4_000_000, max: startMs + 60_000 }),
  fc.constantFrom(NaN, Infinity, -Infinity, 0, -1),
);
const count = fc.oneof(
  { weight: 20, arbitrary: fc.nat(8) },
  { weight: 1, arbitrary: fc.constantFrom(NaN, -1, 1e300, 0.5, Infinity) },
);
const told = fc.option(count);
const anyPoint: fc.Arbitrary<HealthPoint> = fc.record({
  atMs: someTime,
  spanMs: fc.constantFrom(0, 0, 0, 60_000, 3_600_000, NaN),
  inQueue: count,
  maxInQueue: count,
  inProgress: count,
  running: count,
  idle: count,
  initializing: told,
  ready: told,
  throttled: told,
  unhealthy: told,
  completed: count,
  failed: count,
  retried: count,
});
/** Readings a few seconds apart whose gauges move freely and whose counters rise, except when a service restarts. */
const steadyPoints = fc
  .array(fc.record({ gapS: fc.integer({ min: 1, max: 20 }), point: anyPoint }), { maxLength: 80 })
  .map((steps) => {
    let atMs = startMs;
    return steps
      .toReversed()
      .map(({ gapS, point }) => {
        atMs -= gapS * 1_000;
        return { ...point, atMs, spanMs: 0 };
      })
      .reverse();
  });
const operation = fc.constantFrom('run' as const, 'runsync' as const);
const anyInput: fc.Arbitrary<DiagnosisInput> = fc.record({
  points: fc.oneof(steadyPoints, fc.array(anyPoint, { maxLength: 30 })),
  liveJobs: fc.array(
    fc.record({
      key: fc.string(),
      acceptedAtMs: someTime,
      startedSeenAtMs: fc.option(someTime),
      ttlEndsAtMs: fc.option(someTime),
      executionTimeoutMs: count,
      operation,
    }),
    { maxLength: 12 },
  ),
  recentEnds: fc.array(
    fc.record({
      endedAtMs: someTime,
      status: fc.constantFrom('COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED', 'ERROR', ''),
      executionTimeMs: fc.option(count),
      executionTimeoutMs: count,
      isTimedOut: fc.boolean(),
    }),
    { maxLength: 30 },
  ),
  unsavedResults: fc.array(
    fc.record({
      key: fc.string(),
      operation,
      part: fc.constantFrom('result' as const, 'stream' as const),
      knownAtMs: someTime,
      leavesAtMs: someTime,
    }),
    { maxLength: 6 },
  ),
  execution: fc.option(fc.record({ p50Ms: count, p95Ms: count })),
  nowMs: fc.constant(startMs),
});

const recordings = [...readRecordings().values()];
const moment = (of: typeof recordings) =>
  fc
    .constantFrom(...of)
    .chain((recording) => fc.nat(recording.readings.length - 1).map((index) => inputAt(recording, index)));

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

describe('any input', () => {
  it('never throws, has each kind once and one reason at most, worst first, in complete sentences, and the same each time', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const findings = diagnose(frozen(input));
        const kinds = findings.map(({ kind }) => kind);
        expect(new Set(kinds).size).toBe(kinds.length);
        expect(kinds.filter((kind) => holds.has(kind)).length).toBeLessThanOrEqual(1);
        const ranks = findings.map(({ severity }) => rank[severity]);
        expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
        for (const { headline, explanation, evidence, tryNext } of findings) {
          expect([headline, explanation, ...evidence, ...tryNext].join(' ')).not.toMatch(
            /NaN|undefined|null|Infinity|\[object/,
          );
          expect(
            [headline, explanation, ...evidence, ...tryNext].every((text) => text !== '' && !text.includes('!')),
          ).toBe(true);
          expect(explanation).toContain('ost likely');
        }
        expect(diagnose(input)).toEqual(findings);
      }),
      { numRuns: 2_000 },
    );
  });

  it('ignores unknown fields, and the order of points and jobs', () => {
    fc.assert(
      fc.property(
        moment(recordings),
        fc.dictionary(
          fc.string().map((name) => `x-${name}`),
          fc.anything(),
        ),
        fc.integer(),
        (input, extra, seed) => {
          const shuffled = <T>(of: readonly T[]): T[] =>
            of
              .map((value, index) => ({ value, at: Math.sin(seed + index * 7.3) }))
              .sort((a, b) => a.at - b.at)
              .map(({ value }) => value);
          const dressed = shuffled(input.points).map((point) => ({
            ...extra,
            ...Object.fromEntries(Object.entries(point).reverse()),
            ...point,
          }));
          expect(
            diagnose({
              ...input,
              points: dressed,
              liveJobs: shuffled(input.liveJobs),
              recentEnds: shuffled(input.recentEnds),
            }),
          ).toEqual(diagnose(input));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a healthy endpoint', () => {
  it('has no finding while its queue is empty, whatever its workers do', () => {
    const step = fc.record({
      gapS: fc.integer({ min: 1, max: 30 }),
      completed: fc.nat(5),
      fails: fc.boolean(),
      idle: fc.nat(4),
      running: fc.nat(4),
      initializing: fc.nat(3),
      throttled: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 120 }), fc.boolean(), (steps, isTold) => {
        let [atS, completed, failed] = [0, 0, 0];
        const points = steps.map((one) => {
          atS += one.gapS;
          // A job that fails now and then, with others that complete.
          completed += one.completed;
          if (one.fails && one.completed > 0) failed += 1;
          return pointAt(atS, {
            completed,
            failed,
            idle: one.idle,
            running: one.running,
            inProgress: one.running,
            ...(isTold
              ? { initializing: one.initializing, throttled: one.throttled, unhealthy: 0, ready: one.idle }
              : {}),
          });
        });
        expect(diagnose(inputOf({ points }))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('has no finding while waiting jobs start within seconds', () => {
    const step = fc.record({
      gapS: fc.integer({ min: 1, max: 5 }),
      queue: fc.nat(20),
      workers: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 150 }), (steps) => {
        let [atS, completed] = [0, 0];
        const points = steps.map(({ gapS, queue, workers }) => {
          atS += gapS;
          // As many as may wait are done between two readings.
          completed += 20;
          return pointAt(atS, { inQueue: queue, completed, running: workers, inProgress: workers });
        });
        expect(diagnose(inputOf({ points }))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('stays so if the app was closed at any time', () => {
    const well = new Set(healthyScenarios.map(({ name }) => name));
    const gap = fc.record({ from: fc.nat(300), length: fc.nat(200) });
    fc.assert(
      fc.property(moment(recordings.filter(({ name }) => well.has(name))), gap, (input, { from, length }) => {
        const points = input.points.filter(
          (_, index) => index < from || index >= from + length || index === input.points.length - 1,
        );
        expect(diagnose({ ...input, points })).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a gap', () => {
  it('up to now leaves no finding that depends on health', () => {
    fc.assert(
      fc.property(moment(recordings), fc.integer({ min: 120_001, max: 7_200_000 }), (input, gapMs) => {
        expect(diagnose({ ...input, nowMs: input.nowMs + gapMs }).filter(({ kind }) => byHealth.has(kind))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('in between never makes a warning where there was none, nor a worse finding', () => {
    fc.assert(
      fc.property(moment(recordings), fc.nat(200), fc.integer({ min: 61, max: 900 }), (input, cut, gapS) => {
        const held = (of: DiagnosisInput): number =>
          Math.min(
            9,
            ...diagnose(of)
              .filter(({ kind }) => holds.has(kind))
              .map(({ severity }) => rank[severity]),
          );
        const at = input.points.length - 1 - cut;
        const points = input.points.map((point, index) =>
          index < at ? { ...point, atMs: point.atMs - gapS * 1_000 } : point,
        );
        // A pace over fewer readings is coarser: a queue may then seem to clear a second too late to pass without a word.
        expect(held({ ...input, points })).toBeGreaterThanOrEqual(Math.min(rank.notice, held(input)));
      }),
      { numRuns: 1_000 },
    );
  });
});
