/** Heights and positions in a grouped list with rows of equal height, computed without the DOM. */
export interface SectionBox {
  /** Pixels from the top of the list to the head. */
  top: number;
  /** How many rows are shown. None if collapsed. */
  rows: number;
  height: number;
}

/** Places the groups one under the other. */
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
 * The rows of one group in view, plus `overscan` more at each end: `[from, to)` within the group. Empty if none is
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

/**
 * The scroll position at which a row is completely visible below the sticky head, or the present one if it is already.
 */
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
