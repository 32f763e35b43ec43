import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDuration, writeDuration } from '../../../../src-preload/duration-text.ts';

describe('parseDuration', () => {
  it.each([
    ['20 min', 1_200_000],
    ['1 h', 3_600_000],
    ['1 h 30 min', 5_400_000],
    ['90s', 90_000],
    ['90', 90_000],
    ['1:30', 90_000],
    ['1:02:03', 3_723_000],
    ['1,200,000 ms', 1_200_000],
    ['7 days', 604_800_000],
    ['0.5 s', 500],
    [' 2 H ', 7_200_000],
  ])('reads %s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', 'soon', '5 parsecs', '1:2', '-5 s', '5 s later', '∞'])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  it('reads back what writeDuration wrote, to the millisecond', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 604_800_000 }), (ms) => parseDuration(writeDuration(ms)) === ms));
  });
});
