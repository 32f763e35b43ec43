import { describe, expect, test } from 'vitest';
import {
  formatAge,
  formatBytes,
  formatClock,
  formatCount,
  formatCountOf,
  formatCountdown,
  formatDay,
  formatDuration,
  formatMeasured,
  startOfDay,
} from '../../../../src-preload/format.ts';

describe('formatDuration (design language: Numbers)', () => {
  test.each([
    [0, '0 ms'],
    [0.4, '0 ms'],
    [4, '4 ms'],
    [9.4, '9 ms'],
    [9.6, '0.01 s'],
    [10, '0.01 s'],
    [280, '0.28 s'],
    [6_420, '6.42 s'],
    [9_994, '9.99 s'],
    [9_996, '10.0 s'],
    [39_600, '39.6 s'],
    [59_949, '59.9 s'],
    [59_960, '0:59'],
    [60_000, '1:00'],
    [118_400, '1:58'],
    [600_000, '10:00'],
    [86_359_000, '23:59:19'],
    [-5, '0 ms'],
  ])('%i ms reads %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

test('a duration that is not known is a dash, and a very short one is not', () => {
  expect([null, 0, 4, 10, 6_420].map(formatMeasured)).toEqual(['–', '0 ms', '4 ms', '0.01 s', '6.42 s']);
});

test('a countdown is in whole seconds from the start and never negative', () => {
  expect(formatCountdown(9_900)).toBe('0:09');
  expect(formatCountdown(252_000)).toBe('4:12');
  expect(formatCountdown(-1_000)).toBe('0:00');
});

test.each([
  [0, '0 s'],
  [41_999, '41 s'],
  [60_000, '1 m'],
  [3_599_999, '59 m'],
  [79_200_000, '22 h'],
  [6 * 86_400_000, '6 d'],
  [364 * 86_400_000, '364 d'],
  [800 * 86_400_000, '2 y'],
])('an age of %i ms is one unit: %s', (ms, text) => {
  expect(formatAge(ms)).toBe(text);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.0 KB'],
  [1_900, '1.9 KB'],
  [9_960, '10 KB'],
  [214_000, '214 KB'],
  [999_600, '1.0 MB'],
  [10_000_000, '10 MB'],
  [1_200_000_000, '1.2 GB'],
])('%i bytes read %s, decimal (ruling 33)', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('clock, counts and nouns', () => {
  expect(formatClock(new Date(2025, 10, 20, 4, 2, 7).getTime())).toBe('04:02:07');
  expect(formatCount(18_204)).toBe('18,204');
  expect(formatCountOf(1, 'job')).toBe('1 job');
  expect(formatCountOf(0, 'job')).toBe('0 jobs');
  expect(formatCountOf(2, 'query', 'queries')).toBe('2 queries');
});

test('days are named by the local calendar, not by 24 hours', () => {
  const now = new Date(2025, 10, 20, 0, 30).getTime();
  expect(formatDay(now - 60_000, now)).toBe('today');
  expect(formatDay(now - 45 * 60_000, now)).toBe('yesterday');
  expect(formatDay(new Date(2025, 10, 18, 23).getTime(), now)).toBe('18 Nov');
  expect(formatDay(new Date(2024, 2, 1).getTime(), now)).toBe('1 Mar 2024');
  expect(startOfDay(now)).toBe(new Date(2025, 10, 20).getTime());
});
