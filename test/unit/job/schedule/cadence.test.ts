import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  drainRetryMs,
  isNear,
  statusIntervalMs,
  streamIntervalMs,
  sweepIntervalMs,
  unhurried,
} from '../../../../src-main/job/schedule/cadence.ts';
import {
  beforeTtlMs,
  deadlineMarginMs,
  readByMs,
  readTimeoutMs,
  retryByMs,
  tryAgainAtMs,
} from '../../../../src-main/job/schedule/deadlines.ts';
import type { Attention, JobAge, StreamAge } from '../../../../src-main/job/schedule/cadence.ts';
import type { JobDeadlines } from '../../../../src-main/job/schedule/deadlines.ts';

const minuteMs = 60_000;
const near: Attention = { isWindowVisible: true, isOnBattery: false };
const hidden: Attention = { isWindowVisible: false, isOnBattery: false };
const onBattery: Attention = { isWindowVisible: true, isOnBattery: true };

describe('who looks', () => {
  it('is near in front of a visible window on mains power; else every pause is twice as long', () => {
    expect([near, hidden, onBattery].map(isNear)).toEqual([true, false, false]);
    expect([near, hidden, onBattery].map(unhurried)).toEqual([1, 2, 2]);
  });
});

describe('the next look', () => {
  const job = (changes: Partial<JobAge> = {}): JobAge => ({
    isWatched: false,
    acceptedAtMs: 0,
    statusReadAtMs: 0,
    ...changes,
  });
  const interval = (
    changes: Partial<JobAge>,
    attention: Attention,
    nowMs: number,
    likelyAtMs: number | null = null,
  ): number => statusIntervalMs(job(changes), attention, likelyAtMs, nowMs);

  it('follows half a second after acceptance and then every second while someone watches, on the battery too', () => {
    for (const attention of [near, onBattery]) {
      expect(interval({ isWatched: true, statusReadAtMs: null }, attention, 0)).toBe(500);
      expect(interval({ isWatched: true }, attention, 60 * minuteMs, 5_000)).toBe(1_000);
    }
  });

  it('grows with the age of a job nobody watches, from 1.5 to 15 s', () => {
    expect(interval({ statusReadAtMs: null }, near, 0)).toBe(500);
    expect(
      [1_000, 15_000, 15_010, 90_000, 149_990, 150_000, 60 * minuteMs].map((ageMs) => interval({}, near, ageMs)),
    ).toEqual([1_500, 1_500, 1_501, 9_000, 14_999, 15_000, 15_000]);
    expect(interval({ acceptedAtMs: 40_000 }, near, 90_000)).toBe(5_000);
  });

  it('is twice as far behind a hidden window and on the battery, and never nearer than two seconds', () => {
    for (const attention of [hidden, onBattery]) {
      expect(interval({ statusReadAtMs: null }, attention, 0)).toBe(2_000);
      expect([1_000, 90_000, 60 * minuteMs].map((ageMs) => interval({}, attention, ageMs))).toEqual([
        3_000, 18_000, 30_000,
      ]);
    }
    expect(interval({ isWatched: true }, hidden, 90_000)).toBe(18_000);
  });

  it('waits for the likely end, between one and 15 s after the last look, twice that where nobody looks', () => {
    expect(
      [500, 4_000, 90_000].map((likelyAtMs) =>
        interval({ acceptedAtMs: 0, statusReadAtMs: 1_000 }, near, 1_000, likelyAtMs),
      ),
    ).toEqual([1_000, 3_000, 15_000]);
    expect(
      [500, 4_000, 90_000].map((likelyAtMs) =>
        interval({ acceptedAtMs: 0, statusReadAtMs: 1_000 }, hidden, 1_000, likelyAtMs),
      ),
    ).toEqual([2_000, 3_000, 30_000]);
    expect(interval({ acceptedAtMs: 1_000, statusReadAtMs: null }, near, 1_000, 5_000)).toBe(4_000);
  });
});

describe('the latest look', () => {
  const job = (changes: Partial<JobDeadlines> = {}): JobDeadlines => ({
    operation: 'run',
    acceptedAtMs: 0,
    statusReadAtMs: 100_000,
    ttlEndsAtMs: null,
    ...changes,
  });

  it('leaves ten seconds before a result could be gone that ended right after the last one', () => {
    expect(readByMs(job())).toBe(100_000 + 30 * minuteMs - 10_000);
    expect(readByMs(job({ operation: 'runsync' }))).toBe(150_000);
    expect(readByMs(job({ operation: 'runsync', acceptedAtMs: 7_000, statusReadAtMs: null }))).toBe(57_000);
  });

  it('leaves before the ttl ends, by ten seconds or a fifth of a short ttl, unless one has left that late already', () => {
    expect(readByMs(job({ ttlEndsAtMs: 600_000 }))).toBe(590_000);
    expect(readByMs(job({ acceptedAtMs: 90_000, ttlEndsAtMs: 120_000 }))).toBe(114_000);
    expect(readByMs(job({ ttlEndsAtMs: 10 * 60 * minuteMs }))).toBe(100_000 + 30 * minuteMs - 10_000);
    expect(readByMs(job({ statusReadAtMs: 589_999, ttlEndsAtMs: 600_000 }))).toBe(590_000);
    expect(readByMs(job({ statusReadAtMs: 590_000, ttlEndsAtMs: 600_000 }))).toBe(590_000 + 30 * minuteMs - 10_000);
  });

  it('is tried again, after a failure, when it had to leave, then every second until the result can be gone', () => {
    const runsync = job({ operation: 'runsync' });
    expect([100_000, 149_999].map((nowMs) => retryByMs(runsync, nowMs))).toEqual([150_000, 150_000]);
    expect([150_000, 159_999].map((nowMs) => retryByMs(runsync, nowMs))).toEqual([151_000, 160_999]);
    expect([160_000, 900_000].map((nowMs) => retryByMs(runsync, nowMs))).toEqual([Infinity, Infinity]);
  });

  it('is never after anything could have left unseen', () => {
    const anyJob = fc.record({
      operation: fc.constantFrom('run' as const, 'runsync' as const),
      acceptedAtMs: fc.nat(100_000),
      statusReadAtMs: fc.option(fc.integer({ min: 100_000, max: 200_000 })),
      ttlEndsAtMs: fc.option(fc.integer({ min: 100_001, max: 9_000_000 })),
    });
    fc.assert(
      fc.property(anyJob, (one) => {
        const lastMs = one.statusReadAtMs ?? one.acceptedAtMs;
        expect(readByMs(one)).toBeLessThan(lastMs + (one.operation === 'run' ? 30 * minuteMs : minuteMs));
        // Asked for before the ttl ends, unless the last look was as near to it.
        const beforeMs = beforeTtlMs(one);
        expect(readByMs(one) <= beforeMs || lastMs >= beforeMs).toBe(true);
      }),
    );
  });

  it('before a ttl is one fifth of it ahead at most; without a ttl there is none', () => {
    expect(beforeTtlMs({ ttlEndsAtMs: null, acceptedAtMs: 0 })).toBe(Infinity);
    expect(beforeTtlMs({ ttlEndsAtMs: 50_000, acceptedAtMs: 0 })).toBe(40_000);
    expect(beforeTtlMs({ ttlEndsAtMs: 20_000, acceptedAtMs: 10_000 })).toBe(18_000);
  });
});

describe('what was refused', () => {
  const refused = { nextTryMs: 300_000, triedAtMs: 100_000 };

  it('is tried again when its pause is over, where nothing is about to leave', () => {
    expect(tryAgainAtMs(refused, Infinity, 100_000)).toBe(300_000);
    expect(tryAgainAtMs(refused, 400_000, 100_000)).toBe(300_000);
  });

  it('is tried in time before something leaves, then every second until that can have left', () => {
    expect(tryAgainAtMs(refused, 200_000, 100_000)).toBe(200_000);
    expect(tryAgainAtMs({ ...refused, triedAtMs: 200_000 }, 200_000, 200_000)).toBe(201_000);
    expect(tryAgainAtMs({ ...refused, triedAtMs: 209_000 }, 200_000, 200_000 + deadlineMarginMs - 1)).toBe(210_000);
    expect(tryAgainAtMs({ ...refused, triedAtMs: 209_000 }, 200_000, 200_000 + deadlineMarginMs)).toBe(300_000);
  });
});

describe('the slow sweep', () => {
  it('comes every 30 s, for many jobs more seldom, and half as often where nobody looks', () => {
    expect([10, 300, 301, 1_000].map((count) => sweepIntervalMs('run', count, near))).toEqual([
      30_000, 30_000, 30_100, 100_000,
    ]);
    expect(sweepIntervalMs('run', 10, hidden)).toBe(60_000);
  });

  it('comes three times before a result leaves, however many jobs there are', () => {
    expect(sweepIntervalMs('run', 1_000_000, near)).toBe(10 * minuteMs);
    expect([near, hidden].map((attention) => sweepIntervalMs('runsync', 10, attention))).toEqual([20_000, 20_000]);
  });
});

describe('the next read of a stream', () => {
  const stream = (changes: Partial<StreamAge> = {}): number | null =>
    streamIntervalMs({
      isAttended: true,
      isWindowVisible: true,
      emptyReads: 0,
      hasChunks: true,
      isEndpointSilent: false,
      isKeptWhole: true,
      ...changes,
    });

  it('follows 300 ms after one that brought something to someone who watches, and slows to 2 s while none come', () => {
    expect([0, 1, 2, 5, 40].map((emptyReads) => stream({ emptyReads }))).toEqual([300, 450, 675, 2_000, 2_000]);
    expect(stream({ isKeptWhole: false, isEndpointSilent: true })).toBe(300);
  });

  it('slows to 5 s where there was nothing for long', () => {
    expect(stream({ hasChunks: false, emptyReads: 29 })).toBe(2_000);
    expect(stream({ hasChunks: false, emptyReads: 30 })).toBe(5_000);
  });

  it('slows from 1.5 to 15 s where nobody watches, or behind a hidden window', () => {
    for (const unseen of [{ isAttended: false }, { isWindowVisible: false }]) {
      expect([0, 1, 2, 6, 40].map((emptyReads) => stream({ ...unseen, emptyReads }))).toEqual([
        1_500, 2_250, 3_375, 15_000, 15_000,
      ]);
    }
  });

  it('comes once a minute where nothing suggests that there is a stream (ruling 37)', () => {
    const unseen = { isAttended: false, hasChunks: false };
    expect([7, 8, 40].map((emptyReads) => stream({ ...unseen, emptyReads }))).toEqual([15_000, 60_000, 60_000]);
    expect(stream({ ...unseen, isEndpointSilent: true })).toBe(60_000);
    expect(stream({ isAttended: false, isEndpointSilent: true, emptyReads: 8 })).toBe(15_000);
  });

  it('does not come where nobody watches and it is not to be kept', () => {
    expect(stream({ isAttended: false, isKeptWhole: false })).toBeNull();
  });
});

describe('a stream that cannot be read after its job is over', () => {
  it('is tried again after one second, then ever more rarely, up to a minute (ruling 36)', () => {
    expect([1, 2, 3, 6, 7, 30].map((failures) => drainRetryMs(failures, () => 1))).toEqual([
      1_000, 2_000, 4_000, 32_000, 60_000, 60_000,
    ]);
    expect(drainRetryMs(2, () => 0)).toBe(1_000);
    expect(drainRetryMs(1, () => 0.3333)).toBe(667);
  });
});

describe('how long a read may take', () => {
  it('leaves time for another before what it is about leaves the service, and is shortened for nothing else', () => {
    expect(
      [0, 64_999, 65_000, 65_001, 80_000, 90_000, 99_999].map((nowMs) => readTimeoutMs(100_000, 5_000, nowMs)),
    ).toEqual([undefined, undefined, undefined, 29_999, 15_000, 5_000, 5_000]);
    expect([
      readTimeoutMs(100_000, 5_000, 100_000),
      readTimeoutMs(100_000, 5_000, 200_000),
      readTimeoutMs(Infinity, 5_000, 0),
    ]).toEqual([undefined, undefined, undefined]);
  });
});
