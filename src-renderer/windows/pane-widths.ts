import type { RowForm } from '../jobs/row-parts.tsx';
import { twoLinesPx } from '../navigation/pane-layout.ts';

/** The design's widths: the sidebar folds below 960, and the detail covers the list below 820. */
export type WindowWidth = 'full' | 'slim' | 'single';

/** The width class of a width in pixels. */
export function widthBand(px: number): WindowWidth {
  if (px < 820) return 'single';
  return px < 960 ? 'slim' : 'full';
}

export const foldedSidebarPx = 52;
/** Between the panel and the edge of the window. */
export const framePx = 8;

/** From this width a compact list is a table. */
const tablePx = 820;

/** The form of the list: compact if it is narrow, and a table if compact rows have room for one. */
export function rowForm(density: 'comfortable' | 'compact', widthPx: number): RowForm {
  if (widthPx < twoLinesPx) return 'compact';
  if (density === 'comfortable') return 'comfortable';
  return widthPx >= tablePx ? 'table' : 'compact';
}
