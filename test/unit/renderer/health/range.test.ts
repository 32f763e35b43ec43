import { expect, test } from 'vitest';
import type { HealthPoint } from '../../../../src-preload/health.ts';
import { chartFromMs, firstRange, rangeOf } from '../../../../src-renderer/health/range.ts';
import { aPoint } from './points.ts';

const nowMs = 1_760_000_000_000;
const from = (agoMs: number): HealthPoint[] => [aPoint(nowMs - agoMs), aPoint(nowMs)];

test('the charts begin with a quarter of an hour until there is an hour of readings', () => {
  expect(firstRange([], nowMs)).toBe('15m');
  expect(firstRange([[], from(59 * 60_000)], nowMs)).toBe('15m');
  expect(firstRange([from(5_000), from(60 * 60_000)], nowMs)).toBe('1h');
});

test('on the first day a chart begins with the first reading instead of a gap, and shows at least a minute', () => {
  const hour = rangeOf('1h');
  expect(chartFromMs(from(20 * 60_000), hour, nowMs)).toBe(nowMs - 20 * 60_000);
  expect(chartFromMs(from(5_000), hour, nowMs)).toBe(nowMs - 60_000);
  expect(chartFromMs(from(90 * 60_000), hour, nowMs)).toBe(nowMs - 60 * 60_000);
  expect(chartFromMs([], hour, nowMs)).toBe(nowMs - 60 * 60_000);
});
