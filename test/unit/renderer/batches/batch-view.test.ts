import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settings } from '../../../../src-preload/settings-schema.ts';
import { savedView, withSavedView, type BatchView } from '../../../../src-renderer/batches/batch-view.ts';

test('the view chosen last is remembered for each endpoint, within what the settings accept', () => {
  const choice = fc.record({
    endpointId: fc.string({ maxLength: 3 }),
    view: fc.constantFrom<BatchView>('list', 'table', 'images'),
  });
  fc.assert(
    fc.property(fc.array(choice, { minLength: 1, maxLength: 300, size: 'max' }), (choices) => {
      let saved = withSavedView([], 'first', 'table');
      for (const { endpointId, view } of choices) saved = withSavedView(saved, endpointId, view);
      expect(settings.shape.batchViews.safeParse(saved).success).toBe(true);
      const last = choices.at(-1);
      if (last !== undefined) expect(savedView(saved, last.endpointId)).toBe(last.view);
    }),
    { numRuns: 30 },
  );
  expect(savedView([], 'any')).toBe('list');
});
