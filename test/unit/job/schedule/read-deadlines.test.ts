import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beforeTtlMs,
  deadlineMarginMs,
  readByMs,
  readTimeoutMs,
  retryByMs,
  tryAgainAtMs,
} from '../../../../src-main/job/schedule/read-deadlines.ts';
import type { JobDeadlines } from '../../../../src-main/job/schedule/read-deadlines.ts';

const minuteMs = 60_000;

describe('the latest status read', () => {
  const job = (changes: Partial<JobDeadlines> = {}): JobDeadlines => ({
    operation: 'run',
    acceptedAtMs: 0,
    statusReadAtMs: 100_000,
    ttlEndsAtMs: null,
    ...changes,
  });

  it('leaves ten seconds before the result of a job that ended right after the last read could be gone', () => {
    expect(readByMs(job())).toBe(100_000 + 30 * minuteMs - 10_000);
    expect(readByMs(job({ operation: 'runsync' }))).toBe(150_000);
    expect(readByMs(job({ operation: 'runsync', acceptedAtMs: 7_000, statusReadAtMs: null }))).toBe(57_000);
  });

  it('leaves before the ttl ends, by ten seconds or a fifth of a short ttl, unless one has already left that late', () => {
    expect(readByMs(job({ ttlEndsAtMs: 600_000 }))).toBe(590_000);
    expect(readByMs(job({ acceptedAtMs: 90_000, ttlEndsAtMs: 120_000 }))).toBe(114_000);
    expect(readByMs(job({ ttlEndsAtMs: 10 * 60 * minuteMs }))).toBe(100_000 + 30 * minuteMs - 10_000);
    expect(readByMs(job({ statusReadAtMs: 589_999, ttlEndsAtMs: 600_000 }))).toBe(590_000);
    expect(readByMs(job({ statusReadAtMs: 590_000, ttlEndsAtMs: 600_000 }))).toBe(590_000 + 30 * minuteMs - 10_000);
  });

  it('is tried again after a failure, when it had to leave, then every second until the result can be gone', () => {
    const runsync = job({ operation: 'runsync' });
    expect([100_000, 149_999].map((nowMs) => retryByMs(runsync, nowMs))).toEqual([150_000, 150_000]);
    expect([150_000, 159_999].map((nowMs) => retryByMs(runsync, nowMs))).toEqual([151_000, 160_999]);
    expect([160_000, 900_000].map((nowMs) => retryByMs(runsync, nowMs))).toEqual([Infinity, Infinity]);
  });

  it('is never after anything could have expired unseen', () => {
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

  it('is one fifth of a ttl ahead of its end at most; without a ttl there is none', () => {
    expect(beforeTtlMs({ ttlEndsAtMs: null, acceptedAtMs: 0 })).toBe(Infinity);
    expect(beforeTtlMs({ ttlEndsAtMs: 50_000, acceptedAtMs: 0 })).toBe(40_000);
    expect(beforeTtlMs({ ttlEndsAtMs: 20_000, acceptedAtMs: 10_000 })).toBe(18_000);
  });
});

describe('a refused read', () => {
  const refused = { nextTryMs: 300_000, triedAtMs: 100_000 };

  it('is tried again when its pause is over, if nothing is about to expire', () => {
    expect(tryAgainAtMs(refused, Infinity, 100_000)).toBe(300_000);
    expect(tryAgainAtMs(refused, 400_000, 100_000)).toBe(300_000);
  });

  it('is tried in time before something expires, then every second until that can have happened', () => {
    expect(tryAgainAtMs(refused, 200_000, 100_000)).toBe(200_000);
    expect(tryAgainAtMs({ ...refused, triedAtMs: 200_000 }, 200_000, 200_000)).toBe(201_000);
    expect(tryAgainAtMs({ ...refused, triedAtMs: 209_000 }, 200_000, 200_000 + deadlineMarginMs - 1)).toBe(210_000);
    expect(tryAgainAtMs({ ...refused, triedAtMs: 209_000 }, 200_000, 200_000 + deadlineMarginMs)).toBe(300_000);
  });
});

describe('the duration of a read', () => {
  it('leaves time for another before its result expires on the service, and is shortened for nothing else', () => {
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
