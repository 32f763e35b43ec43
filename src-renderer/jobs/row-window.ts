/** Heights and positions of a grouped list with rows of one height, without touching the DOM. */
export interface SectionBox {
  /** Pixels from the top of the list to the head. */
  top: number;
  /** Rows shown: none when folded. */
  rows: number;
  height: number;
}

/** Lays sections out one under the other. */
export function layOut(
  counts: readonly number[],
  headHeight: number,
  rowHeight: number,
): { boxes: SectionBox[]; height: number } {
  let top = 0;
  const boxes = counts.map((rows) => {
    const box = { top, rows, height: headHeight + rows * rowHeight };
    top += box.height;
    return box;
  });
  return { boxes, height: top };
}

/**
 * Rows of one section in view, plus `overscan` more at either end; `[from, to)` within the section. Empty when none is
 * near.
 */
export function rowsInView(
  box: SectionBox,
  headHeight: number,
  rowHeight: number,
  scrollTop: number,
  viewHeight: number,
  overscan: number,
): { from: number; to: number } {
  const rowsTop = box.top + headHeight;
  const first = Math.floor((scrollTop - rowsTop) / rowHeight) - overscan;
  const last = Math.ceil((scrollTop + viewHeight - rowsTop) / rowHeight) + overscan;
  const from = Math.min(box.rows, Math.max(0, first));
  return { from, to: Math.max(from, Math.min(box.rows, last)) };
}

/** Where to scroll so that a row is wholly in view below the sticky head; the present position when it already is. */
export function scrollToShow(
  rowTop: number,
  rowHeight: number,
  headHeight: number,
  scrollTop: number,
  viewHeight: number,
): number {
  if (rowTop < scrollTop + headHeight) return Math.max(0, rowTop - headHeight);
  if (rowTop + rowHeight > scrollTop + viewHeight) return rowTop + rowHeight - viewHeight;
  return scrollTop;
}
