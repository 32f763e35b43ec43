import { describe, expect, it } from 'vitest';
import { InFlight, KeyedQueue, createSerialQueue, createSharedReads } from '../../../src-main/async/queues.ts';

/** Work that ends on command. */
function held(): { work: () => Promise<string>; end: (value: string) => void; isBegun: () => boolean } {
  const { promise, resolve } = Promise.withResolvers<string>();
  let isBegun = false;
  return {
    work: () => {
      isBegun = true;
      return promise;
    },
    end: resolve,
    isBegun: () => isBegun,
  };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('a serial queue', () => {
  it('runs one task after the other, even after failures', async () => {
    const failures: unknown[] = [];
    const queue = createSerialQueue((error) => failures.push(error));
    const first = held();
    const answers = [queue.run(first.work), queue.run(() => Promise.reject(new Error('no'))), queue.run(async () => 3)];
    const ended = Promise.allSettled(answers);
    await turn();
    expect(first.isBegun()).toBe(true);
    first.end('one');
    expect((await ended).map((each) => (each.status === 'fulfilled' ? each.value : 'failed'))).toEqual([
      'one',
      'failed',
      3,
    ]);
    expect(failures).toEqual([new Error('no')]);
  });

  it('is idle only when tasks added in between are done too', async () => {
    const queue = createSerialQueue();
    const done: number[] = [];
    void queue.run(async () => {
      done.push(1);
      void queue.run(async () => void done.push(2));
    });
    await queue.idle();
    expect(done).toEqual([1, 2]);
  });
});

describe('a keyed queue', () => {
  it('keeps the order of a key, and lets no key wait for another', async () => {
    const queue = new KeyedQueue();
    const first = held();
    const second = held();
    const ofA = [queue.run('a', first.work), queue.run('a', second.work)];
    await expect(queue.run('b', async () => 'b')).resolves.toBe('b');
    expect(second.isBegun()).toBe(false);
    first.end('1');
    second.end('2');
    expect(await Promise.all(ofA)).toEqual(['1', '2']);
  });
});

describe('a task in progress', () => {
  it('is not started a second time, and can be started again after it ended', async () => {
    const inFlight = new InFlight();
    const first = held();
    const answer = inFlight.run('a', first.work);
    expect(inFlight.has('a')).toBe(true);
    expect(inFlight.run('a', async () => 'again')).toBeNull();
    first.end('done');
    await expect(answer).resolves.toBe('done');
    expect(inFlight.has('a')).toBe(false);
    await expect(inFlight.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(inFlight.has('a')).toBe(false);
  });
});

describe('shared reads', () => {
  it('read once for all calls within the time limit, and again afterwards', async () => {
    let nowMs = 0;
    let reads = 0;
    const shared = createSharedReads({ now: () => nowMs, freshForMs: 1_000, read: async () => (reads += 1) });
    expect(await Promise.all([shared.read('a'), shared.read('a')])).toEqual([1, 1]);
    nowMs = 999;
    expect(await shared.read('a')).toBe(1);
    nowMs = 1_000;
    expect(await shared.read('a')).toBe(2);
    shared.drop('a');
    expect(await shared.read('a')).toBe(3);
  });

  it('do not keep failures, nor values that must not be kept', async () => {
    let reads = 0;
    const shared = createSharedReads({
      now: () => 0,
      freshForMs: 1_000,
      read: async () => {
        reads += 1;
        if (reads === 1) throw new Error('no');
        return reads;
      },
      isKept: (value) => value > 2,
    });
    await expect(shared.read('a')).rejects.toThrow('no');
    expect(await shared.read('a')).toBe(2);
    expect(await shared.read('a')).toBe(3);
    expect(await shared.read('a')).toBe(3);
  });
});
