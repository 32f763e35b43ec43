import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDeadlines, type Timed } from '../../../../src-main/sandbox/queue/shared-timer.ts';
import { createVirtualClock } from '../../../kit/sandbox.ts';

interface Entry extends Timed {
  name: number;
}

const entry = (name: number): Entry => ({ name, dueMs: 0, heapIndex: -1 });

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('set' as const), name: fc.nat(9), inMs: fc.nat(50) }),
    fc.record({ kind: fc.constant('delete' as const), name: fc.nat(9) }),
    fc.record({ kind: fc.constant('advance' as const), byMs: fc.nat(20) }),
  ),
  { maxLength: 60, size: 'max' },
);

it('every entry is due once, at its latest deadline, on no more than one timer', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const clock = createVirtualClock(0);
      const due: [number, number][] = [];
      const deadlines = createDeadlines<Entry>(clock, ({ name }) => due.push([name, clock.now()]));
      const entries = Array.from({ length: 10 }, (_, name) => entry(name));
      const expected = new Map<number, number>();
      const expectedDue: [number, number][] = [];
      const pass = (untilMs: number): void => {
        const passed = [...expected].filter(([, atMs]) => atMs <= untilMs).toSorted(([, a], [, b]) => a - b);
        for (const [name, atMs] of passed) {
          expected.delete(name);
          expectedDue.push([name, atMs]);
        }
      };
      for (const step of sequence) {
        if (step.kind === 'advance') {
          pass(clock.now() + step.byMs);
          clock.advance(step.byMs);
        } else {
          const one = entries[step.name] ?? entry(-1);
          if (step.kind === 'set') {
            expected.set(step.name, clock.now() + step.inMs);
            deadlines.set(one, clock.now() + step.inMs);
          } else {
            expected.delete(step.name);
            deadlines.delete(one);
          }
        }
        expect(clock.pendingTimers()).toBe(expected.size > 0 ? 1 : 0);
      }
      pass(clock.now() + 100);
      clock.advance(100);
      const byTimeThenName = (list: [number, number][]): [number, number][] =>
        list.toSorted((a, b) => a[1] - b[1] || a[0] - b[0]);
      expect(byTimeThenName(due)).toEqual(byTimeThenName(expectedDue));
      expect(due.map(([, atMs]) => atMs)).toEqual(due.map(([, atMs]) => atMs).toSorted((a, b) => a - b));
    }),
  );
});

it('a due entry may get another deadline, even one in the past', () => {
  const clock = createVirtualClock(0);
  const at: number[] = [];
  const deadlines = createDeadlines<Entry>(clock, (one) => {
    at.push(clock.now());
    if (at.length === 1) deadlines.set(one, 5);
    if (at.length === 2) deadlines.set(one, 30);
  });
  deadlines.set(entry(0), 10);
  clock.advance(100);
  expect(at).toEqual([10, 10, 30]);
});

it('a failing entry does not delay the others', () => {
  const clock = createVirtualClock(0);
  const due: number[] = [];
  const deadlines = createDeadlines<Entry>(clock, ({ name }) => {
    if (name === 0) throw new Error('broken');
    due.push(name);
  });
  deadlines.set(entry(0), 10);
  deadlines.set(entry(1), 10);
  expect(() => clock.advance(10)).toThrow('broken');
  clock.advance(1);
  expect(due).toEqual([1]);
});

it('a time beyond the longest timer does not fire immediately', () => {
  const delays: number[] = [];
  const clock = createVirtualClock(0);
  const deadlines = createDeadlines<Entry>(
    { ...clock, setTimeout: (callback, delayMs) => (delays.push(delayMs), clock.setTimeout(callback, delayMs)) },
    () => undefined,
  );
  deadlines.set(entry(0), 2 ** 40);
  expect(delays).toEqual([2 ** 31 - 1]);
});
