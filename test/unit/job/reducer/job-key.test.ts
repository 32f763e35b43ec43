import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createJobKeys } from '../../../../src-main/job/reducer/new-job.ts';

it('generates keys that ascend strictly, within a millisecond and over a clock that is set back', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -5_000, max: 5_000 }), { maxLength: 200 }),
      fc.infiniteStream(fc.double({ min: 0, max: 0.999_999, noNaN: true })),
      (steps, chance) => {
        let nowMs = 1_700_000_000_000;
        const random = (): number => chance.next().value ?? 0;
        const newKey = createJobKeys(() => nowMs, random);
        let last = newKey();
        for (const step of steps) {
          nowMs += step;
          const key = newKey();
          expect(key > last).toBe(true);
          expect(key).toMatch(/^[0-9a-z]{26}$/);
          last = key;
        }
      },
    ),
  );
});

it('generates keys that ascend over a restart', () => {
  const before = createJobKeys(
    () => 1_000,
    () => 0.9,
  )();
  const after = createJobKeys(
    () => 1_001,
    () => 0,
  )();
  expect(after > before).toBe(true);
});
