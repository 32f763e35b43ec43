import { useEffect, useLayoutEffect, useRef, useState, type FocusEvent, type MouseEvent, type RefObject } from 'react';
import { useJobs } from '../../data/jobs-store.ts';
import { createElementSlots } from '../element-slots.ts';
import { focusFirstRow, pressInList } from '../list-focus.ts';
import { useView } from '../list-scrolling.ts';
import { scrollToShow } from '../row-window.ts';
import { useWatchedRows } from './use-batch-rows.ts';

interface LinesWanted {
  /** The keys of all jobs, in order. */
  order: readonly string[];
  /** How many jobs are in a line, and its height in pixels. */
  perLine: number;
  linePx: number;
  /** How many lines are drawn beyond the view, at each end. */
  overscan: number;
  /** Gets the keys of the jobs that are drawn, which are read before the others. */
  showFirst: (keys: readonly string[]) => void;
}

/** A job that is drawn. */
interface DrawnJob {
  key: string;
  /** Its place in the order, from 0. */
  at: number;
  /** How many pixels its line is below the first one. */
  topPx: number;
  /** The key of its element, which is that of a job that is no longer drawn. */
  slot: number;
}

export interface Lines {
  scroller: RefObject<HTMLDivElement | null>;
  /** The element with the lines, `heightPx` high. */
  content: RefObject<HTMLDivElement | null>;
  heightPx: number;
  onScroll: () => void;
  drawn: readonly DrawnJob[];
  /** Lines scroll past so quickly that only texts are readable. */
  isFlying: boolean;
  press: (key: string, event: MouseEvent) => void;
  /** Of the element with the focus: reached by Tab, it has its first row focused. */
  onFocus: (event: FocusEvent) => void;
}

/**
 * Jobs of a batch in lines of equal height. Only those in view are drawn, a press focuses one, and the focused one is
 * scrolled into view.
 */
export function useLines({ order, perLine, linePx, overscan, showFirst }: LinesWanted): Lines {
  const { scroller, view, measure } = useView();
  const content = useRef<HTMLDivElement>(null);
  const [slots] = useState(createElementSlots);
  const count = Math.ceil(order.length / perLine);
  // While it is flung, lines beyond the view are gone before anyone sees them.
  const around = view.isFlying ? 0 : overscan;
  const from = Math.min(count, Math.max(0, Math.floor(view.top / linePx) - around));
  const to = Math.min(count, Math.ceil((view.top + view.height) / linePx) + around);
  const keys = order.slice(from * perLine, to * perLine);
  const slotsOfKeys = slots.of(keys);
  useWatchedRows(keys);
  useEffect(() => showFirst(keys));
  useFollowed(scroller, content, { order, perLine, linePx });
  return {
    scroller,
    content,
    heightPx: count * linePx,
    onScroll: measure,
    drawn: keys.map((key, index) => {
      const at = from * perLine + index;
      return { key, at, topPx: Math.floor(at / perLine) * linePx, slot: slotsOfKeys[index] ?? index };
    }),
    isFlying: view.isFlying,
    press,
    onFocus: focusFirstRow,
  };
}

function press(key: string, event: MouseEvent): void {
  pressInList(event.currentTarget.closest<HTMLElement>('[data-job-list]'), 'focus', key, event);
}

/** Scrolls to the focused job when another one gets the focus. */
function useFollowed(
  scrollerRef: RefObject<HTMLDivElement | null>,
  contentRef: RefObject<HTMLDivElement | null>,
  { order, perLine, linePx }: Pick<LinesWanted, 'order' | 'perLine' | 'linePx'>,
): void {
  const selectedKey = useJobs((state) => state.selectedKey);
  const followed = useRef<string | null>(null);
  useLayoutEffect(() => {
    const element = scrollerRef.current;
    const lines = contentRef.current;
    if (element === null || lines === null || selectedKey === null || followed.current === selectedKey) return;
    const at = order.indexOf(selectedKey);
    if (at === -1) return;
    followed.current = selectedKey;
    const headPx = lines.getBoundingClientRect().top - element.getBoundingClientRect().top + element.scrollTop;
    const top = headPx + Math.floor(at / perLine) * linePx;
    element.scrollTop = scrollToShow(
      { top, height: linePx },
      { top: element.scrollTop, height: element.clientHeight, headHeight: headPx },
    );
  });
}
