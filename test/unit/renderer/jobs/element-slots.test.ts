import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createElementSlots } from '../../../../src-renderer/jobs/element-slots.ts';

const keys = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 6 });

test('a row keeps its slot while it is drawn, no two share one, and freed ones are reused', () => {
  fc.assert(
    fc.property(fc.array(keys, { minLength: 1, maxLength: 12 }), (views) => {
      const slots = createElementSlots();
      let before = new Map<string, number>();
      let max = 0;
      for (const view of views) {
        const given = slots.of(view);
        max = Math.max(max, view.length);
        expect(new Set(given).size).toBe(view.length);
        for (const [at, key] of view.entries()) {
          const slot = given[at] ?? -1;
          if (before.has(key)) expect(slot).toBe(before.get(key));
          else expect(slot).toBeLessThan(max);
        }
        before = new Map(view.map((key, at) => [key, given[at] ?? -1]));
      }
    }),
  );
});

test('rows that are all replaced keep their elements in order', () => {
  const slots = createElementSlots();
  slots.of(['a', 'b', 'c']);
  expect(slots.of(['d', 'e', 'f', 'g'])).toEqual([0, 1, 2, 3]);
});
