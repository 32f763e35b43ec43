import { describe, expect, it } from 'vitest';
import { createDurableWrites } from '../../../../src-main/job/store/durable-writes.ts';
import { createVirtualClock } from '../../../kit/clock.ts';

describe('a durable write', () => {
  it('is repeated at growing intervals until it is done', async () => {
    const clock = createVirtualClock(0);
    const tries: number[] = [];
    const { untilDone } = createDurableWrites({
      clock,
      random: () => 0.5,
      onTrouble: () => tries.push(clock.now()),
      onRecovered: () => undefined,
    });
    const done = untilDone(async () => {
      if (tries.length < 4) throw new Error('full');
      return 'kept';
    });
    await clock.advance(60_000);
    expect(await done).toBe('kept');
    expect(tries).toEqual([0, 500, 1_500, 3_500]);
    expect(clock.pending()).toBe(0);
  });

  it('reports when all that was refused is done, and not before', async () => {
    const clock = createVirtualClock(0);
    const full = new Set(['one', 'two']);
    const recoveredAtMs: number[] = [];
    const { untilDone } = createDurableWrites({
      clock,
      random: () => 0.5,
      onTrouble: () => undefined,
      onRecovered: () => recoveredAtMs.push(clock.now()),
    });
    const write = (name: string): Promise<string> =>
      untilDone(() => (full.has(name) ? Promise.reject(new Error('full')) : Promise.resolve(name)));
    const both = Promise.all([write('one'), write('two'), write('three')]);
    await clock.advance(10);
    full.delete('one');
    await clock.advance(60_000);
    expect(recoveredAtMs).toEqual([]);
    full.delete('two');
    await clock.advance(60_000);
    await both;
    expect(recoveredAtMs).toHaveLength(1);
  });

  it('ends with the engine, and leaves no timer', async () => {
    const clock = createVirtualClock(0);
    const { untilDone, close } = createDurableWrites({
      clock,
      random: () => 0.5,
      onTrouble: () => undefined,
      onRecovered: () => undefined,
    });
    const lost = untilDone(() => Promise.reject(new Error('full')));
    lost.catch(() => undefined);
    await clock.advance(10);
    close();
    await expect(lost).rejects.toThrow('full');
    expect(clock.pending()).toBe(0);
  });

  it('is tried a last time when the engine closes', async () => {
    const clock = createVirtualClock(0);
    let isFull = true;
    const { untilDone, close } = createDurableWrites({
      clock,
      random: () => 0.5,
      onTrouble: () => undefined,
      onRecovered: () => undefined,
    });
    const done = untilDone(() => (isFull ? Promise.reject(new Error('full')) : Promise.resolve('kept')));
    await clock.advance(10);
    isFull = false;
    close();
    expect(await done).toBe('kept');
  });

  it('of what could be read again waits while there is room in memory, which it then leaves to others', async () => {
    const clock = createVirtualClock(0);
    let isFull = true;
    const { holdUntilDone } = createDurableWrites({
      clock,
      random: () => 0.5,
      onTrouble: () => undefined,
      onRecovered: () => undefined,
      maxHeldChars: 100,
    });
    const write = (): Promise<string> => (isFull ? Promise.reject(new Error('full')) : Promise.resolve('kept'));
    const first = holdUntilDone(60, write);
    await clock.advance(0);
    await expect(holdUntilDone(50, write)).rejects.toThrow('full');
    const second = holdUntilDone(40, write);
    await clock.advance(0);
    isFull = false;
    expect(await holdUntilDone(1_000, write)).toBe('kept');
    await clock.advance(60_000);
    expect(await Promise.all([first, second])).toEqual(['kept', 'kept']);
    isFull = true;
    const third = holdUntilDone(100, write);
    await clock.advance(0);
    isFull = false;
    await clock.advance(60_000);
    expect(await third).toBe('kept');
  });
});

describe('the virtual clock', () => {
  it('fires timers in order, each at its time, even those set in between', async () => {
    const clock = createVirtualClock(0);
    const fired: [string, number][] = [];
    clock.after(30, () => fired.push(['c', clock.now()]));
    clock.after(10, () => {
      fired.push(['a', clock.now()]);
      clock.after(5, () => fired.push(['b', clock.now()]));
    });
    clock.after(20, () => fired.push(['never', clock.now()])).cancel();
    await clock.advance(29);
    expect(fired).toEqual([
      ['a', 10],
      ['b', 15],
    ]);
    expect([clock.now(), clock.pending(), clock.nextAtMs()]).toEqual([29, 1, 30]);
    clock.jump(100);
    await clock.advance(0);
    expect(fired.at(-1)).toEqual(['c', 129]);
  });
});
