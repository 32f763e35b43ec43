import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRate } from '../../../../src-renderer/costs/rate-form.tsx';

describe('a typed rate', () => {
  it.each([
    ['0.69', 0.69],
    [' 1.5 ', 1.5],
    ['0,69', 0.69],
    ['1,200.50', 1_200.5],
    ['1 200', 1_200],
    ['1.200,50', 1_200.5],
    ['.5', 0.5],
    ['', null],
  ])('%j is %j', (text, value) => {
    expect(readRate(text)).toEqual({ value });
  });
  it.each(['-1', '0', 'abc', '1.2.3', '1e9', '100001', 'NaN', 'Infinity', '1,200', '1.5,20', '0x10', '٣'])(
    '%j is reported as invalid',
    (text) => {
      expect(readRate(text)).toMatchObject({ problem: expect.stringMatching(/^[A-Z]/) });
    },
  );
  it('is read as a number above 0, or not at all', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readRate(text);
        if ('value' in read && read.value !== null) expect(read.value > 0 && read.value <= 100_000).toBe(true);
      }),
    );
  });
});

// A pattern that begins again at each digit would take an hour for this.
it('a pasted row of digits that is no number is refused', () => {
  expect(readRate(`${'1'.repeat(1_000_000)}x`)).toHaveProperty('problem');
});
