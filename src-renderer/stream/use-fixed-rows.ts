import { useLayoutEffect, useState, type RefObject } from 'react';

/** How many rows are drawn beyond the edges, so that quick scrolling shows no blank. */
const overscan = 12;

/** Browsers cannot lay out more than about 33,000,000 px. Rows beyond that are left out at the front. */
export const tallestPx = 30_000_000;

export interface FixedRows {
  /** The first drawn row, and the one after the last. */
  from: number;
  to: number;
  /** The height of all rows. */
  heightPx: number;
  /** How many rows are left out at the front, because the page cannot be tall enough. */
  skipped: number;
  /** Call it when the scroller has scrolled. */
  onScroll: () => void;
}

/** Which of `count` rows of equal height are in a scroller. Takes constant time. */
export function fixedRows(
  count: number,
  rowPx: number,
  scrollTop: number,
  heightPx: number,
): Omit<FixedRows, 'onScroll'> {
  const skipped = Math.max(0, count - Math.floor(tallestPx / rowPx));
  const shown = count - skipped;
  const first = Math.min(Math.max(0, Math.floor(scrollTop / rowPx) - overscan), Math.max(0, shown - 1));
  const last = Math.min(shown, Math.ceil((scrollTop + heightPx) / rowPx) + overscan);
  return { from: Math.min(first, last), to: last, heightPx: shown * rowPx, skipped };
}

/** The rows in view of a scroller, updated on scrolling and resizing. */
export function useFixedRows(scrollerRef: RefObject<HTMLElement | null>, count: number, rowPx: number): FixedRows {
  const [view, setView] = useState({ top: 0, height: 0 });
  useLayoutEffect(() => {
    const element = scrollerRef.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setView(viewOf(element)));
    observer.observe(element);
    setView(viewOf(element));
    return () => observer.disconnect();
  }, [scrollerRef]);
  const onScroll = (): void => {
    if (scrollerRef.current !== null) setView(viewOf(scrollerRef.current));
  };
  return { ...fixedRows(count, rowPx, view.top, view.height), onScroll };
}

function viewOf(element: HTMLElement): { top: number; height: number } {
  return { top: element.scrollTop, height: element.clientHeight };
}
