import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { popoverPlace } from '../../../../src-main/desktop/tray/popover-place.ts';

const workArea = { x: 0, y: 24, width: 1_920, height: 1_056 };

describe('the position of the popover', () => {
  it('is under an icon in a bar at the top, and above one at the bottom', () => {
    expect(popoverPlace({ x: 1_000, y: 0, width: 24, height: 24 }, workArea)).toMatchObject({ x: 828, y: 32 });
    const low = popoverPlace({ x: 1_800, y: 1_056, width: 24, height: 24 }, { ...workArea, y: 0 });
    expect(low.y + low.height).toBe(1_048);
    expect(low.x + low.width).toBe(1_912);
  });

  it('is in the corner if Linux does not say where its icon is', () => {
    expect(popoverPlace({ x: 0, y: 0, width: 0, height: 0 }, workArea)).toMatchObject({ x: 1_544, y: 32 });
  });

  it('is always within the work area', () => {
    const icon = fc.record({
      x: fc.integer({ min: -100, max: 4_000 }),
      y: fc.integer({ min: -100, max: 2_000 }),
      width: fc.integer({ min: 0, max: 64 }),
      height: fc.integer({ min: 0, max: 64 }),
    });
    fc.assert(
      fc.property(icon, (at) => {
        const { x, y, width, height } = popoverPlace(at, workArea);
        expect(x).toBeGreaterThanOrEqual(workArea.x);
        expect(y).toBeGreaterThanOrEqual(workArea.y);
        expect(x + width).toBeLessThanOrEqual(workArea.x + workArea.width);
        expect(y + height).toBeLessThanOrEqual(workArea.y + workArea.height);
      }),
    );
  });
});
