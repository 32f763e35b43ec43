import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonColumnWidthBounds } from '../../../../src-preload/bounds.ts';
import { settings } from '../../../../src-preload/settings-schema.ts';
import { withSettingsChange } from '../../../../src-preload/settings-change.ts';
import { settingsDefaults } from '../../../../src-preload/settings.ts';
import { savedWidth } from '../../../../src-renderer/json/column-widths.ts';

const saved = [
  { endpointId: 'ep', column: 'title', widthPx: 300 },
  { endpointId: 'other', column: 'title', widthPx: 90 },
];

test('a width is that of its column and endpoint', () => {
  expect(savedWidth(saved, 'ep', 'title')).toBe(300);
  expect(savedWidth(saved, 'ep', 'price')).toBeNull();
});

test('any changes leave what the settings accept, with the newest widths', () => {
  const change = fc.record({
    endpointId: fc.constantFrom('a', 'b'),
    column: fc.string({ maxLength: 4 }),
    widthPx: fc.integer({ min: jsonColumnWidthBounds.minPx, max: jsonColumnWidthBounds.maxPx }),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 700, size: 'max' }), (changes) => {
      let now = settingsDefaults;
      for (const jsonColumnWidths of changes) now = withSettingsChange(now, { jsonColumnWidths });
      expect(settings.shape.jsonColumnWidths.safeParse(now.jsonColumnWidths).success).toBe(true);
      const last = changes.at(-1);
      if (last !== undefined) expect(savedWidth(now.jsonColumnWidths, last.endpointId, last.column)).toBe(last.widthPx);
    }),
    { numRuns: 30 },
  );
});
