import type { RowForm } from '../jobs/job-row.tsx';

/**
 * The design's widths: the list narrows below 1180, the sidebar folds below 960, the detail covers the list below 820.
 */
export type WindowWidth = 'wide' | 'narrow' | 'slim' | 'single';

/** The width class of a width in pixels. */
export function widthBand(px: number): WindowWidth {
  if (px < 820) return 'single';
  if (px < 960) return 'slim';
  return px < 1180 ? 'narrow' : 'wide';
}

export const foldedSidebarPx = 52;
export const sidebarBounds = { designPx: 244, leastPx: 180, mostPx: 420 } as const;
const framePx = 8;

/** The width of the open sidebar: the chosen one, within its limits. */
export function sidebarPx(chosenPx: number | null): number {
  return Math.min(sidebarBounds.mostPx, Math.max(sidebarBounds.leastPx, chosenPx ?? sidebarBounds.designPx));
}

const detailPx = { wanted: 520, least: 400 } as const;
const list = { designPx: 600, leastPx: 320, twoLinesPx: 480, tablePx: 820, mostByDesignPx: 960 } as const;
/** A panel wider than this gives some of its width to the list. */
const designPanelPx = 1_200;

/** The width of the list beside an open job, and its limits. */
export interface ListWidth {
  px: number;
  leastPx: number;
  mostPx: number;
}

/**
 * The width of the list beside an open job: the chosen one, if the job keeps its minimum width. Otherwise the design's,
 * which grows with a wide window.
 */
export function listWidth(windowPx: number, sidePx: number, chosenPx: number | null): ListWidth {
  const panelPx = windowPx - sidePx - framePx;
  const mostPx = Math.max(list.leastPx, panelPx - detailPx.least);
  const px = chosenPx ?? designListPx(windowPx, panelPx);
  return { px: Math.min(mostPx, Math.max(list.leastPx, px)), leastPx: list.leastPx, mostPx };
}

function designListPx(windowPx: number, panelPx: number): number {
  const roomPx = panelPx - detailPx.wanted;
  if (roomPx < list.twoLinesPx) return windowPx < 960 ? 340 : 392;
  const grownPx = list.designPx + Math.max(0, panelPx - designPanelPx) * 0.35;
  return Math.min(roomPx, list.mostByDesignPx, Math.round(grownPx));
}

/** The form of the list: compact if it is narrow, and a table if compact rows have room for one. */
export function rowForm(density: 'comfortable' | 'compact', widthPx: number): RowForm {
  if (widthPx < list.twoLinesPx) return 'compact';
  if (density === 'comfortable') return 'comfortable';
  return widthPx >= list.tablePx ? 'table' : 'compact';
}
