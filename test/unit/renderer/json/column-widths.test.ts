import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonColumnWidthBounds } from '../../../../src-preload/bounds.ts';
import { settings } from '../../../../src-preload/settings-schema.ts';
import { savedWidth, withSavedWidth } from '../../../../src-renderer/json/column-widths.ts';

const saved = [
  { endpointId: 'ep', column: 'title', widthPx: 300 },
  { endpointId: 'other', column: 'title', widthPx: 90 },
];

test('a width is saved for a column of an endpoint, and deleted for the default one', () => {
  expect(savedWidth(saved, 'ep', 'title')).toBe(300);
  expect(savedWidth(saved, 'ep', 'price')).toBeNull();
  const wider = withSavedWidth(saved, { endpointId: 'ep', column: 'title' }, 340);
  expect(wider).toHaveLength(2);
  expect([savedWidth(wider, 'ep', 'title'), savedWidth(wider, 'other', 'title')]).toEqual([340, 90]);
  expect(withSavedWidth(wider, { endpointId: 'ep', column: 'title' }, null)).toEqual([saved[1]]);
});

test('any changes leave what the settings accept, with the newest widths', () => {
  const change = fc.record({
    endpointId: fc.constantFrom('a', 'b'),
    column: fc.oneof(fc.string({ maxLength: 4 }), fc.constant('x'.repeat(201))),
    widthPx: fc.integer({ min: jsonColumnWidthBounds.minPx, max: jsonColumnWidthBounds.maxPx }),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 700, size: 'max' }), (changes) => {
      let widths = withSavedWidth([], { endpointId: 'a', column: 'first' }, 100);
      for (const { widthPx, ...column } of changes) widths = withSavedWidth(widths, column, widthPx);
      expect(settings.shape.jsonColumnWidths.safeParse(widths).success).toBe(true);
      const last = changes.at(-1);
      if (last !== undefined && last.column.length <= 200)
        expect(savedWidth(widths, last.endpointId, last.column)).toBe(last.widthPx);
    }),
    { numRuns: 30 },
  );
});
