import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRowSlots } from '../../../../src-renderer/jobs/row-slots.ts';

const keys = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 6 });

test('a row keeps its slot while it is drawn, no two share one, and freed ones are used again', () => {
  fc.assert(
    fc.property(fc.array(keys, { minLength: 1, maxLength: 12 }), (views) => {
      const slots = createRowSlots();
      let before = new Map<string, number>();
      let most = 0;
      for (const view of views) {
        const given = slots.of('today', view);
        most = Math.max(most, view.length);
        expect(new Set(given).size).toBe(view.length);
        for (const [at, key] of view.entries()) {
          const slot = given[at] ?? -1;
          if (before.has(key)) expect(slot).toBe(before.get(key));
          else expect(slot).toBeLessThan(most);
        }
        before = new Map(view.map((key, at) => [key, given[at] ?? -1]));
      }
    }),
  );
});

test('rows that are all replaced keep their elements in order, whatever other sections draw', () => {
  const slots = createRowSlots();
  slots.of('today', ['a', 'b', 'c']);
  expect(slots.of('yesterday', ['x'])).toEqual([0]);
  expect(slots.of('today', ['d', 'e', 'f'])).toEqual([0, 1, 2]);
});
