import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withSettingsChange } from '../../../../src-preload/settings-change.ts';
import { settingsDefaults } from '../../../../src-preload/settings.ts';
import { settings } from '../../../../src-preload/settings-schema.ts';
import { savedView, type BatchView } from '../../../../src-renderer/batches/batch-view.ts';

test('the view chosen last is remembered for each endpoint, within what the settings accept', () => {
  const choice = fc.record({
    endpointId: fc.string({ maxLength: 3 }),
    view: fc.constantFrom<BatchView>('list', 'table', 'images'),
  });
  fc.assert(
    fc.property(fc.array(choice, { minLength: 1, maxLength: 300, size: 'max' }), (choices) => {
      let now = withSettingsChange(settingsDefaults, { batchViews: { endpointId: 'first', view: 'table' } });
      for (const batchViews of choices) now = withSettingsChange(now, { batchViews });
      const saved = now.batchViews;
      expect(settings.shape.batchViews.safeParse(saved).success).toBe(true);
      const last = choices.at(-1);
      if (last !== undefined) expect(savedView(saved, last.endpointId)).toBe(last.view);
    }),
    { numRuns: 30 },
  );
  expect(savedView([], 'any')).toBe('list');
});
