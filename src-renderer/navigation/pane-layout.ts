import type { PaneName } from '../../src-preload/settings.ts';

/** A pane whose edge can be moved, and what it and the panes beside it need. All widths are in pixels. */
export interface PaneLayout {
  /** The side of its frame that it is on. Its edge is on the other side. */
  side: 'left' | 'right';
  /** The gap between it and the panes beside it. */
  gapPx: number;
  minPx: number;
  maxPx: number;
  /** What the panes beside it need, or what they need in such a window. */
  restPx: number | ((windowPx: number) => number);
  /** Its width while the user chose none, by the room for it and the panes beside it, and by the window. */
  designPx: (roomPx: number, windowPx: number) => number;
}

/** The one table of panes: what each is by design, and how far its edge can be moved. */
export const panes: Readonly<Record<PaneName, PaneLayout>> = {
  sidebar: { side: 'left', gapPx: 0, minPx: 180, maxPx: 420, restPx: 700, designPx: () => 244 },
  list: { side: 'left', gapPx: 0, minPx: 320, maxPx: 4_000, restPx: 400, designPx: designListPx },
  causes: { side: 'left', gapPx: 0, minPx: 300, maxPx: 4_000, restPx: 320, designPx: designCausesPx },
  composerRail: {
    side: 'left',
    gapPx: 0,
    minPx: 180,
    maxPx: 520,
    restPx: 700,
    designPx: (roomPx) => Math.max(218, roomPx * 0.16),
  },
  composerOptions: {
    side: 'right',
    gapPx: 0,
    minPx: 300,
    maxPx: 760,
    restPx: 360,
    designPx: (roomPx, windowPx) => (windowPx <= 1_100 ? 316 : Math.max(372, roomPx * 0.31)),
  },
  jobFacts: {
    side: 'right',
    gapPx: 8,
    minPx: 280,
    maxPx: 720,
    restPx: 440,
    designPx: (roomPx) => grown(372, roomPx * 0.2, 480),
  },
  healthSide: { side: 'right', gapPx: 14, minPx: 280, maxPx: 620, restPx: 580, designPx: () => 318 },
  sandboxSettings: {
    side: 'right',
    gapPx: 0,
    minPx: 280,
    maxPx: 560,
    restPx: 480,
    designPx: (roomPx) => (roomPx < 900 ? 304 : 348),
  },
  podIdentity: {
    side: 'left',
    gapPx: 8,
    minPx: 244,
    maxPx: 480,
    // From 1100 on, two panes are beside it.
    restPx: (windowPx) => (windowPx < 1_100 ? 440 : 750),
    designPx: (_, windowPx) => (windowPx < 1_100 ? 256 : windowPx < 1_280 ? 272 : 292),
  },
  podRequest: {
    side: 'right',
    gapPx: 8,
    minPx: 280,
    maxPx: 900,
    restPx: 460,
    designPx: (roomPx, windowPx) => (windowPx < 1_280 ? 316 : grown(372, roomPx * 0.26, 580)),
  },
  templateReview: {
    side: 'right',
    gapPx: 8,
    minPx: 360,
    maxPx: 1_000,
    restPx: 520,
    designPx: (roomPx, windowPx) => (windowPx <= 1_240 ? 392 : grown(456, roomPx * 0.32, 760)),
  },
  readmeSource: { side: 'left', gapPx: 0, minPx: 160, maxPx: 4_000, restPx: 160, designPx: (roomPx) => roomPx / 2 },
};

/** The width of a pane, and its limits. */
export interface PaneWidth {
  px: number;
  minPx: number;
  maxPx: number;
}

/**
 * The width to draw a pane with: the chosen one (null: the design's) as far as the panes beside it keep what they need.
 * `roomPx`: what the pane and those beside it have together, without the gap.
 */
export function paneWidth(name: PaneName, chosenPx: number | null, roomPx: number, windowPx: number): PaneWidth {
  const { minPx, maxPx: widestPx, restPx, designPx } = panes[name];
  const othersPx = typeof restPx === 'number' ? restPx : restPx(windowPx);
  const maxPx = Math.max(minPx, Math.min(widestPx, Math.floor(roomPx) - othersPx));
  const px = Math.round(chosenPx ?? designPx(roomPx, windowPx));
  return { px: Math.min(maxPx, Math.max(minPx, px)), minPx, maxPx };
}

/** A width that grows in a wide window, up to the most that its content has a use for. */
function grown(minPx: number, px: number, maxPx: number): number {
  return Math.min(maxPx, Math.max(minPx, px));
}

/** Of the list: two lines for each job need this width. */
export const twoLinesPx = 480;
/** What the job beside the list has by design, while the list has two lines. */
const jobPx = 520;
/** A panel wider than this gives some of its width to the list. */
const designPanelPx = 1_200;

function designListPx(roomPx: number, windowPx: number): number {
  const leftPx = roomPx - jobPx;
  if (leftPx < twoLinesPx) return windowPx < 960 ? 340 : 392;
  // Beside the longest lines of an output, a wider job would be empty.
  const grownPx = 600 + Math.max(0, roomPx - designPanelPx) * 0.5;
  return Math.min(leftPx, 1_160, grownPx);
}

/** A narrow list of causes has no trend and no time, so it needs less of the width. */
function designCausesPx(roomPx: number): number {
  return Math.min(960, roomPx * (roomPx < 930 ? 0.47 : 0.53));
}
