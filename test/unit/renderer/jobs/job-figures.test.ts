import { describe, expect, test } from 'vitest';
import {
  barFraction,
  executionFigure,
  figureAsOf,
  tickOf,
  waitFigure,
} from '../../../../src-renderer/jobs/job-figures.ts';
import { jobOf, queued, running } from './job-of.ts';

const times = { endpointId: 'text', count: 50, executionP50Ms: 4_000, executionP95Ms: 7_600, delayP95Ms: 760 };

describe('figures', () => {
  test('a queued job counts its wait from when the service accepted it', () => {
    expect(waitFigure(jobOf(1_000, { ...queued, acceptedAtMs: 1_500 }))).toEqual({ kind: 'since', ms: 1_500 });
    expect(executionFigure(jobOf(1_000, queued))).toEqual({ kind: 'word', word: 'waiting' });
  });

  test('a running job shows the wait reported by the service, otherwise by our clock', () => {
    expect(waitFigure(jobOf(0, { ...running, delayTimeMs: 310 }))).toEqual({ kind: 'fixed', ms: 310 });
    expect(waitFigure(jobOf(0, { ...running, delayTimeMs: null, acceptedAtMs: 100, startedSeenAtMs: 900 }))).toEqual({
      kind: 'fixed',
      ms: 800,
    });
    expect(executionFigure(jobOf(0, { ...running, startedSeenAtMs: 900, delayTimeMs: null }))).toEqual({
      kind: 'since',
      ms: 900,
    });
  });

  test('a running job counts from its start by the service, not from its first status read', () => {
    const job = jobOf(1_000, { ...running, acceptedAtMs: 1_000, delayTimeMs: 200, startedSeenAtMs: 15_000 });
    expect(executionFigure(job)).toEqual({ kind: 'since', ms: 1_200 });
    // Never later than it was seen, by whatever the two clocks say.
    expect(executionFigure({ ...job, delayTimeMs: 90_000 })).toEqual({ kind: 'since', ms: 15_000 });
  });

  test('the figures of a job stay as last seen while its service cannot be read', () => {
    expect(figureAsOf({ kind: 'since', ms: 900 }, 5_900)).toEqual({ kind: 'fixed', ms: 5_000 });
    expect(figureAsOf({ kind: 'since', ms: 900 }, null)).toEqual({ kind: 'since', ms: 900 });
    expect(figureAsOf({ kind: 'word', word: 'waiting' }, 5_900)).toEqual({ kind: 'word', word: 'waiting' });
  });

  test('a retried job waits since its retry', () => {
    const job = jobOf(1_000, { ...running, status: 'IN_QUEUE', acceptedAtMs: 1_000, retriedAtMs: 9_000 });
    expect(waitFigure(job)).toEqual({ kind: 'since', ms: 9_000 });
  });

  test('an executionTime sent while the job still runs does not count as its end', () => {
    expect(executionFigure(jobOf(0, { ...running, executionTimeMs: 60, startedSeenAtMs: 5 })).kind).toBe('since');
  });

  test('a job that is over except for its stream shows how long it ran; one too large to read says so', () => {
    const pendingStream = { sinceMs: 0, failures: 1, nextTryMs: 0, untilMs: 0, reason: '' };
    expect(executionFigure(jobOf(0, { phase: 'active', pendingStream, executionTimeMs: 900 }))).toEqual({
      kind: 'fixed',
      ms: 900,
    });
    expect(executionFigure(jobOf(0, { phase: 'gone', goneReason: 'too-large', executionTimeMs: null }))).toEqual({
      kind: 'word',
      word: 'too-large',
    });
  });

  test('a job cancelled in the queue shows how long it waited and no execution', () => {
    const job = jobOf(1_000, {
      status: 'CANCELLED',
      delayTimeMs: null,
      executionTimeMs: null,
      startedSeenAtMs: null,
      acceptedAtMs: 1_000,
      finishedSeenAtMs: 92_000,
    });
    expect(waitFigure(job)).toEqual({ kind: 'fixed', ms: 91_000 });
    expect(executionFigure(job)).toEqual({ kind: 'none' });
  });
});

describe('execution bar (p95 at 76 %)', () => {
  test('a job that took the p95 reaches the tick', () => {
    expect(barFraction(jobOf(0, { executionTimeMs: 7_600 }), times, 0)).toBeCloseTo(0.76);
    expect(tickOf('done', times)).toBe(0.76);
    expect(tickOf('done', { ...times, count: 4 })).toBeNull();
  });

  test('slower ones pass it, and the bar ends at its track', () => {
    expect(barFraction(jobOf(0, { executionTimeMs: 9_000 }), times, 0)).toBeCloseTo(0.9);
    expect(barFraction(jobOf(0, { executionTimeMs: 900_000 }), times, 0)).toBe(1);
  });

  test('without learned times it fills towards the execution limit and has no tick', () => {
    expect(barFraction(jobOf(0, { executionTimeMs: 300_000 }), undefined, 0)).toBeCloseTo(0.5);
    expect(
      barFraction(jobOf(0, { executionTimeMs: 5_000, policy: { executionTimeout: 10_000 } }), undefined, 0),
    ).toBeCloseTo(0.5);
    expect(tickOf('done', undefined)).toBeNull();
  });

  test('a timeout is full, a cancelled or unsent job has none', () => {
    expect(barFraction(jobOf(0, { status: 'TIMED_OUT', executionTimeMs: 10 }), times, 0)).toBe(1);
    expect(barFraction(jobOf(0, { status: 'CANCELLED', executionTimeMs: null }), times, 0)).toBeNull();
    expect(barFraction(jobOf(0, { phase: 'waiting', status: null, executionTimeMs: null }), times, 0)).toBeNull();
  });

  test('an orphaned job shows no run time from its last read, and no bar', () => {
    const job = jobOf(0, { phase: 'orphaned', status: 'IN_PROGRESS', executionTimeMs: 520 });
    expect(executionFigure(job)).toEqual({ kind: 'none' });
    expect(barFraction(job, times, 9_000)).toBeNull();
  });

  test('a running bar grows with time', () => {
    const job = jobOf(0, { ...running, startedSeenAtMs: 1_000, delayTimeMs: null });
    expect(barFraction(job, times, 4_800)).toBeCloseTo(0.38);
    expect(barFraction(job, times, 8_600)).toBeCloseTo(0.76);
  });
});
