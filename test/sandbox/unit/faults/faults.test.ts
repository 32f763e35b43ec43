import { describe, expect, it } from 'vitest';
import { createFaults, type Faults, type FaultRule } from '../../../../src-main/sandbox/faults/faults.ts';

const REQUEST_KINDS = ['status', 'reset', 'delay', 'html'] as const;

/** Which of `count` requests are hit, by kind. */
function hitsOf(faults: Faults, count: number): (string | null)[] {
  return Array.from(
    { length: count },
    () => faults.pick(REQUEST_KINDS, { operation: 'status', endpointId: 'e' })?.kind ?? null,
  );
}

describe('faults', () => {
  it('affect the named operation and endpoint as often as set', () => {
    const faults = createFaults(1);
    faults.set({ kind: 'reset', operation: 'run', endpointId: 'e', times: 2 });
    expect(faults.pick(REQUEST_KINDS, { operation: 'status', endpointId: 'e' })).toBeNull();
    expect(faults.pick(REQUEST_KINDS, { operation: 'run', endpointId: 'f' })).toBeNull();
    expect(faults.pick(REQUEST_KINDS, { operation: 'run', endpointId: null })).toBeNull();
    expect([1, 2, 3].map(() => faults.pick(REQUEST_KINDS, { operation: 'run', endpointId: 'e' })?.kind)).toEqual([
      'reset',
      'reset',
      undefined,
    ]);
    expect(faults.hits()).toEqual([2]);
  });

  it('repeat exactly for the same seed, and differ for another', () => {
    const rule: FaultRule = { kind: 'status', probability: 0.3 };
    const hits = (seed: number): (string | null)[] => hitsOf(createFaults(seed, [rule]), 400);
    expect(hits(42)).toEqual(hits(42));
    expect(hits(42)).not.toEqual(hits(43));
    const share = hits(42).filter((kind) => kind !== null).length / 400;
    expect(share).toBeGreaterThan(0.22);
    expect(share).toBeLessThan(0.38);
  });

  it('restart their chance when they are set again', () => {
    const rules: FaultRule[] = [{ kind: 'status', probability: 0.5 }];
    const faults = createFaults(7, rules);
    const first = hitsOf(faults, 100);
    faults.set(rules);
    expect(hitsOf(faults, 100)).toEqual(first);
  });

  it('last as long as set, from the given moment, in time since they were set', () => {
    let nowMs = 5_000;
    const faults = createFaults(1, [], () => nowMs);
    const hitsAt = (...atMs: number[]): boolean[] =>
      atMs.map((at) => {
        nowMs = at;
        return faults.pick(REQUEST_KINDS, { operation: 'status', endpointId: 'e' }) !== null;
      });
    faults.set({ kind: 'reset', forMs: 10_000 });
    expect(hitsAt(5_000, 14_999, 15_000, 90_000)).toEqual([true, true, false, false]);
    faults.set({ kind: 'reset', fromMs: 1_000, forMs: 10_000 });
    expect(hitsAt(90_000, 90_999, 91_000, 100_999, 101_000)).toEqual([false, false, true, true, false]);
    faults.set({ kind: 'reset', fromMs: 1_000, times: 1 });
    expect(hitsAt(101_000, 500_000, 500_000)).toEqual([false, true, false]);
  });

  it('do not disturb each other: a second rule affects what it would alone, where the first one does not apply', () => {
    const first: FaultRule = { kind: 'status', probability: 0.4 };
    const second: FaultRule = { kind: 'html', probability: 0.4 };
    const both = hitsOf(createFaults(5, [first, second]), 300);
    const never: FaultRule = { kind: 'status', probability: 0 };
    const secondAlone = hitsOf(createFaults(5, [never, second]), 300);
    const firstAlone = hitsOf(createFaults(5, [first]), 300);
    expect(both).toEqual(firstAlone.map((kind, index) => kind ?? secondAlone[index]));
    expect(new Set(both)).toEqual(new Set(['status', 'html', null]));
  });

  it('of a kind that fits elsewhere are not used up here', () => {
    const faults = createFaults(1, [{ kind: 'late-in-progress', times: 1 }]);
    expect(faults.pick(['late-in-progress'], { operation: 'run', endpointId: 'e' })).toBeNull();
    expect(faults.pick(REQUEST_KINDS, { operation: 'status', endpointId: 'e' })).toBeNull();
    expect(faults.pick(['late-in-progress'], { operation: 'status', endpointId: 'e' }, () => false)).toBeNull();
    expect(faults.hits()).toEqual([0]);
    expect(faults.pick(['late-in-progress'], { operation: 'status', endpointId: 'e' }, () => true)?.kind).toBe(
      'late-in-progress',
    );
    expect(faults.pick(['late-in-progress'], { operation: 'status', endpointId: 'e' }, () => true)).toBeNull();
  });

  it('check whether they would apply only if one could', () => {
    const faults = createFaults(1, [{ kind: 'replay-chunks', times: 1 }]);
    let asked = 0;
    const applies = (): boolean => {
      asked += 1;
      return true;
    };
    faults.pick(['duplicate-chunks'], { operation: 'stream', endpointId: 'e' }, applies);
    expect(asked).toBe(0);
    faults.pick(['replay-chunks'], { operation: 'stream', endpointId: 'e' }, applies);
    faults.pick(['replay-chunks'], { operation: 'stream', endpointId: 'e' }, applies);
    expect(asked).toBe(1);
  });

  it('for every operation mean requests of both interfaces, but no webhooks', () => {
    const faults = createFaults(1, [{ kind: 'delay', delayMs: 5 }]);
    expect(faults.pick(['delay'], { operation: 'get-pod', endpointId: null })).not.toBeNull();
    expect(faults.pick(['delay'], { operation: 'run', endpointId: 'e' })).not.toBeNull();
    expect(faults.pick(['delay'], { operation: 'webhook', endpointId: 'e' })).toBeNull();
    faults.set([{ kind: 'delay', delayMs: 5, operation: 'webhook' }, { kind: 'drop-webhook' }]);
    expect(faults.pick(['delay'], { operation: 'webhook', endpointId: 'e' })).not.toBeNull();
    expect(faults.pick(['drop-webhook'], { operation: 'webhook', endpointId: 'e' })).not.toBeNull();
  });
});
