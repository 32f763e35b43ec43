import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isRestarted,
  jobsCountedBy,
  savedBaseline,
  readingTakesMs,
} from '../../../../src-main/job/submission/saved-baseline.ts';
import type { HealthPoint } from '../../../../src-preload/health.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { aJob } from '../../../kit/a-job.ts';
import { aHealthPoint } from '../../../kit/health-point.ts';

const minuteMs = 60_000;
const reading = (atMs: number, jobs: number, spanMs = 0): HealthPoint =>
  aHealthPoint(atMs, { spanMs, completed: jobs });
const ours = (createdAtMs: number, acceptedAtMs: number | null, changes: Partial<Job> = {}): Job =>
  aJob({
    key: `k${createdAtMs}`,
    phase: 'active',
    status: 'IN_QUEUE',
    createdAtMs,
    acceptedAtMs,
    finishedSeenAtMs: null,
    ...changes,
  });
const crashed = (createdAtMs: number): Job =>
  ours(createdAtMs, null, { phase: 'outcome-unknown', status: null, jobId: null });

describe('the reading that a crashed submission is compared with', () => {
  it('is the last one before it while none of our submissions was in progress', () => {
    const readings = [reading(minuteMs, 3), reading(2 * minuteMs, 4), reading(3 * minuteMs, 5)];
    const sent = [ours(1.5 * minuteMs, 1.5 * minuteMs + 200), ours(3 * minuteMs - 100, 3 * minuteMs + 100)];
    expect(savedBaseline({ readings, ours: sent, crashed: [crashed(4 * minuteMs)] })).toEqual({
      reading: readings[1],
      accepted: 1,
      areOthersThere: false,
    });
    // Whether one that was answered just before is in the reading is unknown.
    expect(
      savedBaseline({
        readings: [reading(minuteMs, 1)],
        ours: [ours(minuteMs - 500, minuteMs - readingTakesMs + 1)],
        crashed: [crashed(2 * minuteMs)],
      }),
    ).toBeNull();
    expect(
      savedBaseline({ readings: [reading(5 * minuteMs, 1)], ours: [], crashed: [crashed(4 * minuteMs)] }),
    ).toBeNull();
    expect(
      savedBaseline({ readings: [reading(minuteMs, 1, minuteMs)], ours: [], crashed: [crashed(4 * minuteMs)] }),
    ).toBeNull();
  });

  it('detects other clients by readings that rose without us', () => {
    const readings = [reading(minuteMs, 3), reading(2 * minuteMs, 4)];
    expect(savedBaseline({ readings, ours: [], crashed: [crashed(4 * minuteMs)] })).toMatchObject({
      areOthersThere: true,
    });
    expect(
      savedBaseline({ readings, ours: [ours(1.5 * minuteMs, 1.5 * minuteMs)], crashed: [crashed(4 * minuteMs)] }),
    ).toMatchObject({ areOthersThere: false });
  });

  it.each([
    ['was retried', { attempt: 2 }],
    ['was cancelled', { phase: 'finished', status: 'CANCELLED', finishedSeenAtMs: 3 * minuteMs }],
    ['timed out', { phase: 'finished', status: 'TIMED_OUT', finishedSeenAtMs: 3 * minuteMs }],
    ['is gone', { phase: 'gone', status: 'IN_QUEUE', finishedSeenAtMs: 3 * minuteMs }],
    ['has an unknown outcome', { phase: 'outcome-unknown', status: null, acceptedAtMs: null }],
  ] satisfies [string, Partial<Job>][])('does not exist if one of our jobs since then %s', (_what, changes) => {
    const other = ours(2.5 * minuteMs, 2.5 * minuteMs + 100, changes);
    expect(
      savedBaseline({ readings: [reading(2 * minuteMs, 3)], ours: [other], crashed: [crashed(4 * minuteMs)] }),
    ).toBeNull();
  });

  it('counts exactly our own jobs since then, whatever they were', () => {
    const times = fc.array(fc.tuple(fc.integer({ min: 0, max: 600_000 }), fc.integer({ min: 0, max: 5_000 })), {
      maxLength: 15,
    });
    fc.assert(
      fc.property(
        times,
        fc.uniqueArray(fc.integer({ min: 0, max: 600_000 }), { minLength: 1, maxLength: 10 }),
        (sent, readAtMs) => {
          const jobs = sent.map(([createdAtMs, tookMs], index) =>
            ours(createdAtMs, createdAtMs + tookMs, { key: `k${index}` }),
          );
          // A service that only we use, and that counts a job at the moment it takes it.
          const readings = readAtMs
            .toSorted((a, b) => a - b)
            .map((atMs) => reading(atMs, jobs.filter(({ acceptedAtMs }) => (acceptedAtMs ?? 0) <= atMs).length));
          const baseline = savedBaseline({ readings, ours: jobs, crashed: [crashed(700_000)] });
          if (baseline === null) return;
          expect(baseline.areOthersThere).toBe(false);
          expect(jobsCountedBy(baseline.reading) + baseline.accepted).toBe(jobs.length);
        },
      ),
    );
  });
});

it('falling counters mean that the service restarted', () => {
  const before = { completed: 5, failed: 1, retried: 0 };
  expect(isRestarted(before, before)).toBe(false);
  expect(isRestarted(before, { ...before, completed: 6 })).toBe(false);
  for (const fell of [{ completed: 4 }, { failed: 0 }]) expect(isRestarted(before, { ...before, ...fell })).toBe(true);
});
