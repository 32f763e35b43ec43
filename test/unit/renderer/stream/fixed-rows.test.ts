import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixedRows, tallestPx } from '../../../../src-renderer/stream/use-fixed-rows.ts';

describe('rows of one height', () => {
  it('cover the visible part, and not much more', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 16, max: 40 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 2_000 }),
        (count, rowPx, at, heightPx) => {
          const full = Math.min(count * rowPx, tallestPx);
          const top = Math.max(0, Math.floor(at * (full - heightPx)));
          const rows = fixedRows(count, rowPx, top, heightPx);
          expect(rows.from).toBeGreaterThanOrEqual(0);
          expect(rows.to).toBeLessThanOrEqual(count - rows.skipped);
          expect(rows.from * rowPx).toBeLessThanOrEqual(top);
          expect(Math.min(top + heightPx, rows.heightPx)).toBeLessThanOrEqual(rows.to * rowPx);
          expect(rows.to - rows.from).toBeLessThanOrEqual(heightPx / rowPx + 30);
        },
      ),
    );
  });

  it('skip the oldest if a page cannot be that tall', () => {
    const rows = fixedRows(5_000_000, 20, 0, 600);
    expect(rows.skipped).toBe(3_500_000);
    expect(rows.heightPx).toBe(tallestPx);
  });
});
