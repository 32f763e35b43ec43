import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatDate, formatDay, startOfDayBefore } from '../../../src-preload/format.ts';

afterEach(() => vi.unstubAllEnvs());

describe.each([
  ['Europe/Berlin', '2026-03-29', '2026-10-25'],
  // Here the clock changes at midnight: one day begins at 1:00, and another has two hours from 23:00.
  ['America/Santiago', '2026-09-06', '2026-04-04'],
  ['Pacific/Auckland', '2026-09-27', '2026-04-05'],
])('days in %s, around the days of 23 and 25 hours', (zone, ...changes) => {
  it.each(changes)('are counted one by one from any minute (%s)', (change) => {
    vi.stubEnv('TZ', zone);
    const noonMs = Date.parse(`${change}T12:00:00`);
    for (let atMs = noonMs - 4 * 86_400_000; atMs < noonMs + 12 * 86_400_000; atMs += 1_800_000) {
      const [year = 0, month = 0, day = 0] = formatDate(atMs).split('-').map(Number);
      for (const back of [0, 1, 6, 29]) {
        const expected = new Date(Date.UTC(year, month - 1, day - back)).toISOString().slice(0, 10);
        expect(formatDate(startOfDayBefore(atMs, back))).toBe(expected);
      }
      expect(formatDay(startOfDayBefore(atMs, 1), atMs)).toBe('yesterday');
      expect(formatDay(startOfDayBefore(atMs, 1) - 1, atMs)).not.toBe('yesterday');
    }
  });
});
