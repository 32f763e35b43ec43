import { useSyncExternalStore } from 'react';

/** The design's widths: list narrows below 1180, sidebar folds below 960, detail lies over the list below 820. */
export type WindowWidth = 'wide' | 'narrow' | 'slim' | 'single';

/** The band a width in pixels falls in. */
export function widthBand(px: number): WindowWidth {
  if (px < 820) return 'single';
  if (px < 960) return 'slim';
  return px < 1180 ? 'narrow' : 'wide';
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

const sidebarPx = { open: 244, folded: 52 } as const;
const framePx = 8;
const leastDetailPx = 520;
const leastComfortablePx = 480;

/** Whether two-line rows fit beside a detail pane of its least width. */
export function hasRoomForTwoLines(windowPx: number, isFolded: boolean): boolean {
  return windowPx - sidebarPx[isFolded ? 'folded' : 'open'] - framePx - leastDetailPx >= leastComfortablePx;
}

export function useRoomForTwoLines(isFolded: boolean): boolean {
  return useSyncExternalStore(subscribe, () => hasRoomForTwoLines(window.innerWidth, isFolded));
}

export function useWindowWidth(): WindowWidth {
  return useSyncExternalStore(subscribe, () => widthBand(window.innerWidth));
}
