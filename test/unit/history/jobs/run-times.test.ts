import fc from 'fast-check';
import { expect, it } from 'vitest';
import { numbersOf } from '../../../../src-main/history/jobs/run-times.ts';

it('finds the numbers of an input by their path, and skips lists', () => {
  expect(
    numbersOf('{"steps": 30, "prompt": "7", "sampling": {"max_tokens": 512, "stop": [1, 2]}, "on": true}'),
  ).toEqual({ steps: 30, 'sampling.max_tokens': 512 });
  expect(numbersOf('{"a": {"b": {"c": 1, "d": {"e": 2}}}}')).toEqual({ 'a.b.c': 1 });
  expect(numbersOf('{"huge": 1e999}')).toEqual({});
  expect(numbersOf('not JSON')).toEqual({});
});

it('lists those nearest to the top first, sixteen at most', () => {
  const wide = JSON.stringify({
    inner: { deep: 1 },
    ...Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`n${index}`, index])),
  });
  expect(Object.keys(numbersOf(wide))).toEqual(Array.from({ length: 16 }, (_, index) => `n${index}`));
});

it('accepts any input', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      for (const value of Object.values(numbersOf(text))) expect(Number.isFinite(value)).toBe(true);
    }),
  );
});
