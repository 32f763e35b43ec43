import { describe, expect, it } from 'vitest';
import { Alarm, createThrottle, within } from '../../../src-main/time/timers.ts';
import { createVirtualClock } from '../../kit/clock.ts';

describe('an alarm', () => {
  it('rings once, at the time that was set last', async () => {
    const clock = createVirtualClock(0);
    const rung: number[] = [];
    const alarm = new Alarm(clock, () => rung.push(clock.now()));
    alarm.set(500);
    alarm.set(2_000);
    await clock.advance(5_000);
    expect(rung).toEqual([2_000]);
    expect(alarm.isSet()).toBe(false);
  });

  it('keeps an earlier time if it is set to ring at the latest', async () => {
    const clock = createVirtualClock(0);
    const rung: number[] = [];
    const alarm = new Alarm(clock, () => rung.push(clock.now()));
    alarm.setAtLatest(1_000);
    alarm.setAtLatest(3_000);
    alarm.setAtLatest(200);
    await clock.advance(5_000);
    expect(rung).toEqual([200]);
  });

  it('keeps waiting if its timer came early', () => {
    const runs: (() => void)[] = [];
    let nowMs = 0;
    let rings = 0;
    const alarm = new Alarm(
      {
        now: () => nowMs,
        after: (_delayMs, run) => {
          runs.push(run);
          return { cancel: () => undefined };
        },
      },
      () => (rings += 1),
    );
    alarm.set(1_000);
    nowMs = 999;
    runs[0]?.();
    expect(rings).toBe(0);
    nowMs = 1_000;
    runs[1]?.();
    expect(rings).toBe(1);
  });

  it('sets no timer for never, and none after a cancel', async () => {
    const clock = createVirtualClock(0);
    const alarm = new Alarm(clock, () => expect.unreachable());
    alarm.set(Infinity);
    alarm.set(10);
    alarm.cancel();
    expect(clock.pending()).toBe(0);
    await clock.advance(100);
  });
});

describe('a throttle', () => {
  it('runs immediately, then once at the end of the gap for all requests in between', async () => {
    const clock = createVirtualClock(0);
    const runs: number[] = [];
    const throttle = createThrottle({ clock, gapMs: 1_000, run: () => void runs.push(clock.now()) });
    throttle.request();
    throttle.request();
    await clock.advance(400);
    throttle.request();
    await clock.advance(5_000);
    throttle.request();
    expect(runs).toEqual([0, 1_000, 5_400]);
    expect(clock.pending()).toBe(0);
  });

  it('waits for the gap if the work was just done elsewhere', async () => {
    const clock = createVirtualClock(0);
    const runs: number[] = [];
    const throttle = createThrottle({ clock, gapMs: 1_000, run: () => void runs.push(clock.now()) });
    throttle.skip();
    throttle.request();
    await clock.advance(2_000);
    expect(runs).toEqual([1_000]);
  });

  it('does not start again while it is in progress', async () => {
    const clock = createVirtualClock(0);
    const runs: number[] = [];
    const throttle = createThrottle({
      clock,
      gapMs: 1_000,
      run: () => {
        runs.push(clock.now());
        return new Promise((resolve) => void clock.after(3_000, resolve));
      },
    });
    throttle.request();
    await clock.advance(2_000);
    throttle.request();
    expect(runs).toEqual([0]);
    await clock.advance(2_000);
    expect(runs).toEqual([0, 3_000]);
    throttle.request();
    throttle.cancel();
    await clock.advance(10_000);
    expect(runs).toEqual([0, 3_000]);
    await throttle.idle();
  });
});

it('a time limit returns null when it passes, and the result of the work before', async () => {
  expect(await within(Promise.resolve('done'), 1_000)).toBe('done');
  expect(await within(new Promise(() => undefined), 1)).toBeNull();
  await expect(within(Promise.reject(new Error('no')), 1_000)).rejects.toThrow('no');
});
