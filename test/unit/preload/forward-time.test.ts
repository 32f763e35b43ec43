import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createForwardTime, setAheadSince, type ForwardTime } from '../../../src-preload/forward-time.ts';

const startMs = 1_700_000_000_000;
const minuteMs = 60_000;

/**
 * A machine whose clocks are moved by hand. Its steady clock stands still while it sleeps, and its uptime is in whole
 * seconds, which is the worst of all systems.
 */
function machine(hasUptime = true) {
  let wallMs = startMs;
  let steadyMs = 0;
  let trueMs = 0;
  const jumps: number[] = [];
  const time: ForwardTime = createForwardTime(
    {
      wallMs: () => wallMs,
      steadyMs: () => steadyMs,
      ...(hasUptime && { uptimeMs: () => Math.floor((trueMs + 123_456) / 1_000) * 1_000 }),
    },
    (nowMs) => jumps.push(nowMs),
  );
  return {
    ...time,
    jumps,
    passedMs: () => trueMs,
    pass(ms: number) {
      wallMs += ms;
      steadyMs += ms;
      trueMs += ms;
    },
    sleep(ms: number) {
      wallMs += ms;
      trueMs += ms;
    },
    set(byMs: number) {
      wallMs += byMs;
    },
  };
}

describe('time that never runs backwards', () => {
  it('counts a sleep of an hour during which the clock was set back by 20 minutes, or by the whole hour', () => {
    for (const backMs of [20 * minuteMs, 60 * minuteMs]) {
      const clock = machine();
      clock.pass(5_000);
      clock.now();
      clock.sleep(60 * minuteMs);
      clock.set(-backMs);
      // Awake for a moment: nothing else needs to be heard of.
      clock.pass(1_500);
      expect(clock.now()).toBeGreaterThan(startMs + 60 * minuteMs);
      expect(clock.now()).toBeLessThanOrEqual(startMs + 60 * minuteMs + 6_500);
      expect(clock.jumps).toHaveLength(1);
      expect(clock.setAheadMs(startMs)).toBe(0);
    }
  });

  it('distinguishes in a jump a sleep from a clock change', () => {
    const clock = machine();
    clock.pass(5_000);
    const beforeMs = clock.now();
    clock.sleep(60 * minuteMs);
    clock.set(20 * minuteMs);
    clock.pass(10);
    const afterMs = clock.now();
    expect(afterMs).toBe(startMs + 5_010 + 80 * minuteMs);
    expect(clock.setAheadMs(beforeMs) / minuteMs).toBeCloseTo(20, 0);
    // Nothing was set after it.
    expect(clock.setAheadMs(afterMs)).toBe(0);
    const [setting] = clock.settings();
    expect(clock.settings()).toHaveLength(1);
    expect(setting?.atMs).toBeCloseTo(afterMs, 0);
    expect(setAheadSince(clock.settings(), beforeMs)).toBe(clock.setAheadMs(beforeMs));
  });

  it('counts a sleep as a sleep, and ignores small corrections', () => {
    const clock = machine();
    for (let step = 0; step < 50; step += 1) {
      clock.sleep(10 * minuteMs);
      clock.set(step % 2 === 0 ? 400 : -400);
      clock.pass(3_000);
      clock.now();
    }
    expect(clock.setAheadMs(startMs)).toBe(0);
  });

  it('continues from another clock', () => {
    const clock = machine(false);
    clock.learn(startMs + 20 * minuteMs);
    expect(clock.now()).toBe(startMs + 20 * minuteMs);
    clock.pass(1_000);
    expect(clock.now()).toBe(startMs + 20 * minuteMs + 1_000);
    clock.learn(startMs);
    expect(clock.now()).toBe(startMs + 20 * minuteMs + 1_000);
  });

  it('never runs backwards, and never falls behind the elapsed time, whatever is done to the clock', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(10_000) }),
      fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -1e8, max: 1e8 }) }),
      fc.record({ kind: fc.constant('sleep' as const), ms: fc.nat(1e8) }),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const clock = machine();
        let beforeMs = clock.now();
        for (const { kind, ms } of steps) {
          clock[kind](ms);
          clock.pass(1_000);
          const nowMs = clock.now();
          expect(nowMs).toBeGreaterThanOrEqual(beforeMs + 1_000);
          expect(nowMs).toBeGreaterThan(startMs + clock.passedMs() - 3_100);
          // Without what was set, it is what passed.
          expect(nowMs - clock.setAheadMs(0)).toBeLessThan(startMs + clock.passedMs() + steps.length * 5_100 + 1);
          beforeMs = nowMs;
        }
      }),
    );
  });
});
