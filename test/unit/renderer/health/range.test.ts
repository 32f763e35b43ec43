import { expect, test } from 'vitest';
import type { HealthPoint } from '../../../../src-preload/health.ts';
import { firstRange } from '../../../../src-renderer/health/range.ts';
import { aPoint } from './points.ts';

const nowMs = 1_760_000_000_000;
const from = (agoMs: number): HealthPoint[] => [aPoint(nowMs - agoMs), aPoint(nowMs)];

test('the charts begin with a quarter of an hour until there is an hour of readings', () => {
  expect(firstRange([], nowMs)).toBe('15m');
  expect(firstRange([[], from(59 * 60_000)], nowMs)).toBe('15m');
  expect(firstRange([from(5_000), from(60 * 60_000)], nowMs)).toBe('1h');
});
