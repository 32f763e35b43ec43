import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listWidth, rowForm, sidebarPx } from '../../../../src-renderer/windows/pane-widths.ts';

describe('the width of the list beside a job', () => {
  it("is the design's where the user chose none, and grows with a wide window", () => {
    expect(listWidth(1_440, 244, null).px).toBe(600);
    expect(listWidth(1_252, 244, null).px).toBe(480);
    expect(listWidth(1_251, 244, null).px).toBe(392);
    expect(listWidth(1_251, 52, null).px).toBe(600);
    expect(listWidth(900, 52, null).px).toBe(340);
    expect(listWidth(2_560, 244, null).px).toBe(960);
  });

  it('is what the user chose, as far as the job keeps its least width', () => {
    expect(listWidth(1_440, 244, 700).px).toBe(700);
    expect(listWidth(1_000, 52, 700).px).toBe(1_000 - 52 - 8 - 400);
    expect(listWidth(1_440, 244, 10).px).toBe(320);
    fc.assert(
      fc.property(
        fc.integer({ min: 820, max: 4_000 }),
        fc.option(fc.integer({ min: 200, max: 4_000 })),
        (windowPx, px) => {
          const width = listWidth(windowPx, 52, px);
          expect(width.px).toBeGreaterThanOrEqual(width.leastPx);
          expect(width.px).toBeLessThanOrEqual(width.mostPx);
        },
      ),
    );
  });

  it('decides the form of its rows', () => {
    expect([300, 480, 900].map((px) => rowForm('comfortable', px))).toEqual(['compact', 'comfortable', 'comfortable']);
    expect([300, 480, 900].map((px) => rowForm('compact', px))).toEqual(['compact', 'compact', 'table']);
  });
});

it('the sidebar keeps within its bounds', () => {
  expect([null, 10, 300, 9_999].map(sidebarPx)).toEqual([244, 180, 300, 420]);
});
