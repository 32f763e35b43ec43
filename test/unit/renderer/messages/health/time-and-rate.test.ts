import { describe, expect, it } from 'vitest';
import { dayAndClock, dayAndTime, rateText } from '../../../../../src-renderer/messages/health/figures.ts';

describe('texts of the health pane', () => {
  it('name the day only if the time alone would mislead', () => {
    const nowMs = new Date(2026, 10, 22, 0, 10).getTime();
    expect(dayAndTime(new Date(2026, 10, 21, 23, 58).getTime(), nowMs)).toBe('23:58');
    expect(dayAndTime(new Date(2026, 10, 21, 9, 0).getTime(), nowMs)).toBe('yesterday, 09:00');
    expect(dayAndClock(new Date(2026, 10, 18, 14, 32, 7).getTime(), nowMs)).toBe('18 Nov, 14:32:07');
  });

  it('show rates no more exact than they are', () => {
    expect([0, 0.02, 0.34, 4.25, 31.4].map(rateText)).toEqual(['0', '< 0.1', '0.3', '4.3', '31']);
  });
});
