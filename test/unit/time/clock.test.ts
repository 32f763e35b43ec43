import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createForwardTime, notAfter } from '../../../src-main/time/clock.ts';

const startMs = 1_700_000_000_000;

/** A machine whose two clocks are moved by hand. */
function machine(): { now: () => number; pass(ms: number): void; set(byMs: number): void; sleep(ms: number): void } {
  let wallMs = startMs;
  let steadyMs = 0;
  return {
    now: createForwardTime({ wallMs: () => wallMs, steadyMs: () => steadyMs }),
    pass(ms) {
      wallMs += ms;
      steadyMs += ms;
    },
    set(byMs) {
      wallMs += byMs;
    },
    sleep(ms) {
      wallMs += ms;
    },
  };
}

describe('the clock', () => {
  it('tells the time of day', () => {
    const { now, pass } = machine();
    pass(1_500);
    expect(now()).toBe(startMs + 1_500);
  });

  it('goes on from where it was when the clock of the machine is put back', () => {
    const { now, pass, set } = machine();
    pass(1_000);
    expect(now()).toBe(startMs + 1_000);
    set(-86_400_000);
    expect(now()).toBe(startMs + 1_000);
    pass(5_000);
    expect(now()).toBe(startMs + 6_000);
  });

  it('jumps forward when the machine wakes up', () => {
    const { now, sleep } = machine();
    sleep(8 * 3_600_000);
    expect(now()).toBe(startMs + 8 * 3_600_000);
  });

  it('tells the time of day again once that has caught up', () => {
    const { now, set, sleep } = machine();
    set(-60_000);
    expect(now()).toBe(startMs);
    sleep(90_000);
    expect(now()).toBe(startMs + 30_000);
  });

  it('never runs backwards and never stands while time passes, whatever is done to the clock of the machine', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(10_000) }),
      fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -1e9, max: 1e9 }) }),
      fc.record({ kind: fc.constant('sleep' as const), ms: fc.nat(1e8) }),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const clock = machine();
        let beforeMs = clock.now();
        for (const { kind, ms } of steps) {
          clock[kind](ms);
          const nowMs = clock.now();
          expect(nowMs).toBeGreaterThanOrEqual(kind === 'pass' ? beforeMs + ms : beforeMs);
          beforeMs = nowMs;
        }
      }),
    );
  });

  it('takes a kept time that lies ahead for now', () => {
    expect(notAfter(startMs + 1, startMs)).toBe(startMs);
    expect(notAfter(startMs - 1, startMs)).toBe(startMs - 1);
  });
});
