import { expect, test } from 'vitest';
import { validReading } from '../../../../src-renderer/data/watch-health.ts';

test('a health reading says nothing about now once it is older than a minute and a half', () => {
  const reading = { atMs: 1_000_000 };
  expect(validReading(reading, 1_090_000)).toBe(reading);
  expect(validReading(reading, 1_090_001)).toBeUndefined();
  expect(validReading(undefined, 0)).toBeUndefined();
});
