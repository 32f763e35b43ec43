import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMachineClock, notAfter, type Clock } from '../../../src-main/time/clock.ts';

const startMs = 1_700_000_000_000;

/** A machine whose clocks are moved by hand. Its timers stand still while it sleeps, as those of systems do. */
function machine(): Clock & { pass(ms: number): void; set(byMs: number): void; sleep(ms: number): void } {
  let wallMs = startMs;
  let steadyMs = 0;
  const timers = new Set<{ atSteadyMs: number; run: () => void }>();
  const clock = createMachineClock({ wallMs: () => wallMs, steadyMs: () => steadyMs }, (delayMs, run) => {
    const timer = { atSteadyMs: steadyMs + delayMs, run };
    timers.add(timer);
    return () => timers.delete(timer);
  });
  return {
    ...clock,
    pass(ms) {
      wallMs += ms;
      steadyMs += ms;
      for (const timer of timers) {
        if (timer.atSteadyMs > steadyMs) continue;
        timers.delete(timer);
        timer.run();
      }
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
  it('returns the time of day', () => {
    const { now, pass } = machine();
    pass(1_500);
    expect(now()).toBe(startMs + 1_500);
  });

  it('continues from where it was when the machine’s clock is put back', () => {
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

  it('returns the time of day again once that has caught up', () => {
    const { now, set, sleep } = machine();
    set(-60_000);
    expect(now()).toBe(startMs);
    sleep(90_000);
    expect(now()).toBe(startMs + 30_000);
  });

  it('never runs backwards and never stops while time passes, whatever is done to the machine’s clock', () => {
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

  it('runs due timers when the machine wakes up, and the rest at their times', () => {
    const clock = machine();
    const ran: string[] = [];
    clock.after(60_000, () => ran.push('in a minute'));
    clock.after(10 * 3_600_000, () => ran.push('in ten hours'));
    clock.after(60_000, () => ran.push('cancelled')).cancel();
    clock.sleep(8 * 3_600_000);
    clock.now();
    clock.pass(1);
    expect(ran).toEqual(['in a minute']);
    clock.pass(2 * 3_600_000);
    expect(ran).toEqual(['in a minute', 'in ten hours']);
  });

  it('runs timers no earlier and no later when the wall clock is put back', () => {
    const clock = machine();
    let ran = 0;
    clock.after(60_000, () => (ran += 1));
    clock.set(-86_400_000);
    clock.now();
    clock.pass(59_999);
    expect(ran).toBe(0);
    clock.pass(1);
    expect(ran).toBe(1);
  });

  it('treats a saved time in the future as now', () => {
    expect(notAfter(startMs + 1, startMs)).toBe(startMs);
    expect(notAfter(startMs - 1, startMs)).toBe(startMs - 1);
  });
});
