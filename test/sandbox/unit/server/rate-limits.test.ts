import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScaledClock } from '../../../../src-main/sandbox/clock.ts';
import { createRateLimits, createSlidingWindow } from '../../../../src-main/sandbox/server/rate-limits.ts';
import type { Admission } from '../../../../src-main/sandbox/server/rate-limits.ts';
import type { LimitedOperation } from '../../../../src-main/sandbox/specification.ts';
import { createVirtualClock } from '../../../kit/sandbox.ts';

const steps = fc.array(fc.record({ afterMs: fc.integer({ min: 0, max: 2_500 }), isTried: fc.boolean() }), {
  maxLength: 300,
});

describe('sliding window', () => {
  it('admits exactly what a list of all admitted times would', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), steps, (limit, requests) => {
        const window = createSlidingWindow(10_000);
        const admitted: number[] = [];
        let nowMs = 1_700_000_000_000;
        for (const { afterMs, isTried } of requests) {
          nowMs += afterMs;
          const recent = admitted.filter((atMs) => nowMs - atMs < 10_000);
          expect(window.count(nowMs)).toBe(recent.length);
          const [oldestToLeave = nowMs - 10_000] = recent.length < limit ? [] : recent.slice(recent.length - limit);
          expect(window.untilCountIs(limit - 1, nowMs)).toBe(
            recent.length < limit ? 0 : oldestToLeave + 10_000 - nowMs,
          );
          if (!isTried || recent.length >= limit) continue;
          window.add(nowMs);
          admitted.push(nowMs);
        }
      }),
    );
  });

  it('never admits more than the limit in any ten seconds, whatever the times of the requests', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 500 }),
        (limit, gapsMs) => {
          const window = createSlidingWindow(10_000);
          const admitted: number[] = [];
          let nowMs = 0;
          for (const gapMs of gapsMs) {
            nowMs += gapMs;
            if (window.count(nowMs) >= limit) continue;
            window.add(nowMs);
            admitted.push(nowMs);
          }
          for (const [index, atMs] of admitted.entries()) {
            const beyond = admitted[index + limit];
            if (beyond !== undefined) expect(beyond - atMs).toBeGreaterThanOrEqual(10_000);
          }
        },
      ),
    );
  });
});

describe('rate limits', () => {
  function open({ timeScale = 1, requestsPerWorker = 0, running = 0 } = {}) {
    const beneath = createVirtualClock();
    const clock = createScaledClock({ beneath, timeScale });
    const workers = { running };
    const admit = createRateLimits({
      clock,
      timeScale: clock.timeScale,
      requestsPerWorker,
      runningWorkers: () => workers.running,
    });
    /** Admits and at once ends `count` requests; gives the first refusal. */
    const pass = (operation: LimitedOperation, count: number, endpointId = 'e'): Admission | null => {
      for (let index = 0; index < count; index += 1) {
        const admission = admit({ endpointId, operation });
        if (!admission.isAdmitted) return admission;
        admission.release();
      }
      return null;
    };
    return { beneath, clock, admit, pass, workers };
  }

  it('count each endpoint and each operation separately', () => {
    const { pass } = open();
    expect(pass('purge-queue', 2)).toBeNull();
    expect(pass('purge-queue', 1)).toMatchObject({
      isAdmitted: false,
      reason: 'purge-queue on endpoint e is limited to 2 requests per 10 seconds.',
    });
    expect(pass('purge-queue', 2, 'f')).toBeNull();
    expect(pass('cancel', 100)).toBeNull();
    expect(pass('requests', 11)).toMatchObject({
      reason: '/requests on endpoint e is limited to 10 requests per 10 seconds.',
    });
  });

  it('do not count refused requests', () => {
    const { beneath, pass } = open();
    expect(pass('purge-queue', 1)).toBeNull();
    beneath.advance(5_000);
    expect(pass('purge-queue', 1)).toBeNull();
    for (let second = 0; second < 4; second += 1) {
      beneath.advance(1_000);
      expect(pass('purge-queue', 1)).not.toBeNull();
    }
    beneath.advance(1_000);
    expect(pass('purge-queue', 1)).toBeNull();
    expect(pass('purge-queue', 1)).not.toBeNull();
  });

  it('report when a slot is free, in whole seconds and no earlier', () => {
    const { beneath, pass } = open();
    pass('purge-queue', 1);
    beneath.advance(2_500);
    pass('purge-queue', 1);
    expect(pass('purge-queue', 1)).toMatchObject({ retryAfterS: 8 });
    beneath.advance(7_499);
    expect(pass('purge-queue', 1)).toMatchObject({ retryAfterS: 1 });
    beneath.advance(1);
    expect(pass('purge-queue', 1)).toBeNull();
  });

  it('count Retry-After in the client’s time if the service’s runs faster', () => {
    const { beneath, clock, pass } = open({ timeScale: 4 });
    pass('purge-queue', 2);
    expect(pass('purge-queue', 1)).toMatchObject({ retryAfterS: 3 });
    beneath.advance(2_499);
    expect(pass('purge-queue', 1)).not.toBeNull();
    beneath.advance(1);
    expect(pass('purge-queue', 2)).toBeNull();
    clock.setTimeScale(1);
    expect(pass('purge-queue', 1)).toMatchObject({ retryAfterS: 10 });
  });

  it('limit concurrent requests until they are released', () => {
    const { admit } = open();
    const held = Array.from({ length: 20 }, () => admit({ endpointId: 'e', operation: 'cancel' }));
    expect(held.every(({ isAdmitted }) => isAdmitted)).toBe(true);
    expect(admit({ endpointId: 'e', operation: 'cancel' })).toEqual({
      isAdmitted: false,
      retryAfterS: 1,
      reason: 'cancel on endpoint e is limited to 20 requests at the same time.',
    });
    const [first] = held;
    if (first?.isAdmitted === true) first.release();
    expect(admit({ endpointId: 'e', operation: 'cancel' }).isAdmitted).toBe(true);
    expect(admit({ endpointId: 'e', operation: 'cancel' }).isAdmitted).toBe(false);
  });

  it('ignore retry and health', () => {
    const { admit } = open();
    for (const operation of ['retry', 'health'] as const) {
      for (let index = 0; index < 5_000; index += 1)
        expect(admit({ endpointId: 'e', operation }).isAdmitted).toBe(true);
    }
  });

  it('are raised by running workers times requests per worker, and never lowered by it', () => {
    const { pass, workers } = open({ requestsPerWorker: 60, running: 1 });
    expect(pass('cancel', 100)).toBeNull();
    expect(pass('cancel', 1)).toMatchObject({ reason: expect.stringContaining('100 requests per 10 seconds') });
    workers.running = 2;
    expect(pass('cancel', 20)).toBeNull();
    expect(pass('cancel', 1)).toMatchObject({ reason: expect.stringContaining('120 requests per 10 seconds') });
    workers.running = 0;
    expect(pass('cancel', 1)).toMatchObject({
      retryAfterS: 10,
      reason: expect.stringContaining('100 requests per 10 seconds'),
    });
  });

  it('raise only the rate, not the concurrency', () => {
    const { admit } = open({ requestsPerWorker: 1_000, running: 10 });
    const held = Array.from({ length: 21 }, () => admit({ endpointId: 'e', operation: 'cancel' }));
    expect(held.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(20);
  });
});
