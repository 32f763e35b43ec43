import { afterEach, expect, test, vi } from 'vitest';
import { boundOf, momentOf, rangeOf } from '../../../../src-renderer/data/parse-filter-values.ts';

const now = new Date(2026, 10, 20, 14, 30).getTime();
const at = (...parts: [number, number, number?, number?, number?]): number => {
  const [year, month, day = 1, hour = 0, minute = 0] = parts;
  return new Date(year, month - 1, day, hour, minute).getTime();
};

test.each([
  ['today', at(2026, 11, 20)],
  ['yesterday', at(2026, 11, 19)],
  ['1d', at(2026, 11, 20)],
  ['7d', at(2026, 11, 14)],
  ['2w', at(2026, 11, 7)],
  ['30m', now - 1_800_000],
  ['2h', now - 7_200_000],
  ['2026-11', at(2026, 11)],
  ['2026-11-01', at(2026, 11, 1)],
  ['2026-3-9', at(2026, 3, 9)],
  ['2026-11-01T14:05', at(2026, 11, 1, 14, 5)],
])('%s is a moment', (value, moment) => {
  expect(momentOf(value, now)).toBe(moment);
});

test.each(['', 'tomorrow', '7', '2026', '2026-13', '2026-02-30', '2026-11-01T25:00', '2026-11-01T14:75', '7y'])(
  '%j is not a time',
  (value) => {
    expect(momentOf(value, now)).toBeNull();
  },
);

afterEach(() => vi.unstubAllEnvs());

test('yesterday begins at midnight even if the day had 23 hours', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  const monday = at(2026, 3, 30, 10);
  expect(momentOf('yesterday', monday)).toBe(at(2026, 3, 29));
  expect(momentOf('7d', monday)).toBe(at(2026, 3, 24));
});

test('bounds are in seconds by default, costs in credits', () => {
  expect(boundOf('took', '>30')).toEqual({ over: 30_000, under: null });
  expect(boundOf('took', '<1.5m')).toEqual({ over: null, under: 90_000 });
  expect(boundOf('waited', '>250ms')).toEqual({ over: 250, under: null });
  expect(boundOf('cost', '>0.5')).toEqual({ over: 0.5, under: null });
  for (const value of ['>', '30s', '>-1', '>3x', '=3']) expect(boundOf('took', value)).toBeNull();
  expect(boundOf('cost', '>1s')).toBeNull();
});

test('two bounds make a range', () => {
  expect(rangeOf('took', ['>1s', '<2s'])).toEqual({ over: 1_000, under: 2_000 });
  expect(rangeOf('took', [])).toBeNull();
});
