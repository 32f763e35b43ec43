import { useLayoutEffect, useState, type RefObject } from 'react';

/** Rows drawn beyond the edges, so that a quick scroll shows no blank. */
const overscan = 12;

/** Browsers stop laying out near 33,000,000 px; rows beyond are left out from the front. */
export const tallestPx = 30_000_000;

export interface FixedRows {
  /** First row drawn, and the one after the last. */
  from: number;
  to: number;
  /** Height of all rows. */
  heightPx: number;
  /** Rows left out at the front because there are more than a page can be tall. */
  skipped: number;
  /** Call it when the scroller scrolled. */
  onScroll: () => void;
}

/** Which of `count` rows of one height stand in a scroller. Constant work however many there are. */
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

/** The rows in view of a scroller; follows scrolling and resizing. */
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
