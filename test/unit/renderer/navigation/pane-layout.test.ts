import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { panes, paneWidth } from '../../../../src-renderer/navigation/pane-layout.ts';
import type { PaneName } from '../../../../src-preload/settings.ts';
import { settings } from '../../../../src-preload/settings-schema.ts';

const names = settings.shape.paneWidthsPx.keyof().options;

/** What a pane has in a window by design, where it and the others beside it have `roomPx`. */
const designPx = (name: PaneName, roomPx: number, windowPx: number): number =>
  paneWidth(name, null, roomPx, windowPx).px;

describe('the width of a pane', () => {
  it('is the design’s if the user chose none', () => {
    const inPanel = (windowPx: number, sidePx: number): number => designPx('list', windowPx - sidePx - 8, windowPx);
    expect(inPanel(1_440, 244)).toBe(600);
    expect(inPanel(1_252, 244)).toBe(480);
    expect(inPanel(1_251, 244)).toBe(392);
    expect(inPanel(1_251, 52)).toBe(600);
    expect(inPanel(900, 52)).toBe(340);
    expect(inPanel(2_560, 244)).toBe(1_154);
    // Half of what a large window has more.
    expect(inPanel(1_920, 244)).toBe(834);
    expect(designPx('sidebar', 960, 960)).toBe(244);
    expect(designPx('causes', 1_188, 1_440)).toBe(630);
    expect(designPx('causes', 840, 900)).toBe(395);
    expect(designPx('causes', 2_308, 2_560)).toBe(960);
    expect(designPx('composerOptions', 990, 1_440)).toBe(372);
    expect([900, 720].map((px) => designPx('composerOptions', px - 32, px))).toEqual([316, 316]);
  });

  it('grows with a wide window if its content can use it', () => {
    const growing = ['composerRail', 'composerOptions', 'jobFacts', 'podRequest', 'templateReview'] as const;
    expect(growing.filter((name) => designPx(name, 2_200, 2_560) <= designPx(name, 1_100, 1_440))).toEqual([]);
  });

  it('is the user’s choice, as far as the panes beside it keep what they need', () => {
    expect(paneWidth('list', 700, 1_188, 1_440).px).toBe(700);
    expect(paneWidth('list', 700, 940, 1_000).px).toBe(540);
    expect(paneWidth('list', 10, 1_188, 1_440).px).toBe(320);
    expect([10, 300, 9_999].map((px) => paneWidth('sidebar', px, 1_440, 1_440).px)).toEqual([180, 300, 420]);
    expect(paneWidth('sidebar', 420, 960, 960).px).toBe(260);
  });

  it('is always within the limits of the setting, and leaves room for the rest if there is any', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.option(fc.integer({ min: 100, max: 4_000 })),
        fc.integer({ min: 0, max: 4_000 }),
        fc.integer({ min: 720, max: 4_000 }),
        (name, chosenPx, roomPx, windowPx) => {
          const { px, minPx, maxPx } = paneWidth(name, chosenPx, roomPx, windowPx);
          expect(px).toBeGreaterThanOrEqual(minPx);
          expect(px).toBeLessThanOrEqual(maxPx);
          expect(settings.shape.paneWidthsPx.safeParse({ [name]: px }).success).toBe(true);
          const { restPx } = panes[name];
          const othersPx = typeof restPx === 'number' ? restPx : restPx(windowPx);
          if (roomPx >= minPx + othersPx) expect(px + othersPx).toBeLessThanOrEqual(roomPx);
        },
      ),
    );
  });
});
