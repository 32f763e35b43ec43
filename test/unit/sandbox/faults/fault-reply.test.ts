import { describe, expect, it } from 'vitest';
import { refusalOf, skewTimes, spoil } from '../../../../src-main/sandbox/faults/fault-reply.ts';

describe('what a fault answers', () => {
  it('is 429 with Retry-After in whole seconds', () => {
    expect(refusalOf({ kind: 'status', status: 429, retryAfterS: 2.2 })).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
  });

  it('is 500 with a sentence unless told otherwise, and nothing for a kind that lets the request through', () => {
    expect(refusalOf({ kind: 'status' })).toEqual({ status: 500, body: '{"error":"The sandbox was told to answer 500."}' });
    expect(refusalOf({ kind: 'status', status: 503, retryAfterS: 1.5 })).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
    expect(refusalOf({ kind: 'delay', delayMs: 1 })).toBeNull();
  });

  it('no longer parses when it was spoilt', () => {
    for (const kind of ['invalid-json', 'truncated-json'] as const) {
      const { body } = spoil({ status: 200, body: '{"id":"a","status":"IN_QUEUE"}' }, kind);
      expect(() => JSON.parse(body)).toThrow(SyntaxError);
    }
  });
});

describe('a clock that is off', () => {
  const body = JSON.stringify({
    name: '2026-01-01T00:00:00.000Z',
    lastStartedAt: '2026-12-31T23:59:30.000Z',
    lastStatusChange: 'Rented by User: Thu Dec 31 2026 18:59:30 GMT-0500 (Eastern Standard Time)',
    savingsPlans: [{ startTime: '2026-10-04 11:09:24.633 +0000 UTC', endTime: 'unknown' }],
  });

  it('moves the times of a management reply, each in its own form, and nothing else', () => {
    const skewed = skewTimes({ status: 200, body }, { kind: 'clock-skew', skewMs: 60_000 }, true);
    expect(JSON.parse(skewed.body)).toEqual({
      name: '2026-01-01T00:00:00.000Z',
      lastStartedAt: '2027-01-01T00:00:30.000Z',
      lastStatusChange: 'Rented by User: Thu Dec 31 2026 19:00:30 GMT-0500 (Eastern Standard Time)',
      savingsPlans: [{ startTime: '2026-10-04 11:10:24.633 +0000 UTC', endTime: 'unknown' }],
    });
  });

  it('moves the Date header by ten minutes unless told otherwise, and keeps the body of a queue reply', () => {
    const beforeMs = Date.now();
    const skewed = skewTimes({ status: 429, body, headers: { 'retry-after': '1' } }, { kind: 'clock-skew' }, false);
    expect(skewed.body).toBe(body);
    expect(skewed.headers?.['retry-after']).toBe('1');
    const offMs = Date.parse(skewed.headers?.['date'] ?? '') - beforeMs;
    expect(offMs).toBeGreaterThan(600_000 - 1_500);
    expect(offMs).toBeLessThan(600_000 + 10_000);
  });
});
