import { flushSync } from 'react-dom';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { createDebounce } from '../data/throttle.ts';
import { useJobs } from '../data/jobs-store.ts';
import {
  anchorAt,
  anchorToKeep,
  headHeight,
  scrollToShow,
  topOf,
  type Anchor,
  type ListLayout,
  keysInView,
} from './row-window.ts';
import { isLive } from '../../src-preload/job.ts';
import { showRows } from '../data/on-view.ts';
import { oldestQueuedOf } from './section-summary.ts';

interface View {
  top: number;
  height: number;
  /** Rows scroll past so quickly that only their titles are readable. */
  isFlying: boolean;
}

/** The list scrolls quickly if it moves by more than this share of the view per frame. */
const flyingShare = 0.6;
/** Scrolling has ended when the list has not moved for this time. */
const flownMs = 80;

/** The visible part of the list in pixels, updated with the size of its frame. */
export function useView(): { scroller: RefObject<HTMLDivElement | null>; view: View; measure: () => void } {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ top: 0, height: 800, isFlying: false });
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const measure = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop: top, clientHeight: height } = element;
    setView((before) => ({ top, height, isFlying: Math.abs(top - before.top) > height * flyingShare }));
    clearTimeout(resting.current);
    resting.current = setTimeout(() => setView((before) => ({ ...before, isFlying: false })), flownMs);
  }, []);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    measure();
    // In the same frame, which would otherwise show no rows where the view grew.
    const observer = new ResizeObserver(() => flushSync(measure));
    observer.observe(element);
    return () => {
      observer.disconnect();
      clearTimeout(resting.current);
    };
  }, [measure]);
  return { scroller, view, measure };
}

/** A pointer that rests for this long is not about to press a row, so rows may move under it. */
const restMs = 2_000;

/**
 * Rows stay in place while the pointer moves over them, and new ones wait above while the list is scrolled. A pointer
 * that rests holds nothing.
 */
export function useHold(scrollerRef: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const element = scrollerRef.current;
    if (element === null) return undefined;
    let isPointing = false;
    let held = '';
    const update = (): void => {
      const wanted = isPointing ? 'all' : element.scrollTop > headHeight ? 'newcomers' : 'nothing';
      if (wanted === held) return;
      held = wanted;
      useJobs.getState().hold(wanted);
    };
    const leave = (): void => {
      resting.cancel();
      isPointing = false;
      update();
    };
    const resting = createDebounce(restMs, leave);
    const point = (): void => {
      resting.request();
      isPointing = true;
      update();
    };
    element.addEventListener('pointermove', point);
    element.addEventListener('pointerdown', point);
    element.addEventListener('pointerleave', leave);
    element.addEventListener('scroll', update, { passive: true });
    window.addEventListener('blur', leave);
    return () => {
      element.removeEventListener('pointermove', point);
      element.removeEventListener('pointerdown', point);
      element.removeEventListener('pointerleave', leave);
      element.removeEventListener('scroll', update);
      window.removeEventListener('blur', leave);
      resting.cancel();
      useJobs.getState().hold('nothing');
    };
  }, [scrollerRef]);
}

/** While the list is scrolled, changes above the visible rows do not move these. */
export function useAnchor(scrollerRef: RefObject<HTMLDivElement | null>, layout: ListLayout): void {
  const anchor = useRef<Anchor | null>(null);
  const former = useRef({ layout, height: 0 });
  const { sections, boxes, folded, rowHeight } = layout;
  useLayoutEffect(() => {
    const element = scrollerRef.current;
    if (element === null) return undefined;
    const shown = { sections, boxes, folded, rowHeight };
    const { scrollHeight: height } = element;
    // A window that grows cuts the position to what the former rows allow, before they get their new heights.
    const maxTop = Math.max(0, Math.min(height, former.current.height || height) - element.clientHeight);
    const kept = anchorToKeep(anchor.current, element.scrollTop, maxTop, former.current.layout);
    former.current = { layout: shown, height };
    const top = kept === null ? null : topOf(kept.key, shown, kept.index);
    if (kept !== null && kept.scrollTop > headHeight && top !== null) {
      const wanted = top - kept.offset;
      if (wanted !== element.scrollTop) element.scrollTop = wanted;
    }
    const note = (): void => {
      anchor.current = anchorAt(element.scrollTop, shown);
    };
    note();
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  }, [scrollerRef, sections, boxes, folded, rowHeight]);
}

/** Another place or filter begins at the top of its list, as soon as its own rows are drawn. */
export function useBeginAtTop(scrollerRef: RefObject<HTMLDivElement | null>): void {
  const place = useJobs((state) => state.place);
  const query = useJobs((state) => state.query);
  const areRowsOfIt = useJobs((state) => state.shownFilter === state.filter);
  const begun = useRef({ place, query });
  useLayoutEffect(() => {
    if (!areRowsOfIt || (begun.current.place === place && begun.current.query === query)) return;
    begun.current = { place, query };
    scrollerRef.current?.scrollTo({ top: 0 });
  }, [scrollerRef, place, query, areRowsOfIt]);
}

/** Scrolls to the focused row when the focus moves, or the row is to be revealed. */
export function useFollowFocus(
  scrollerRef: RefObject<HTMLDivElement | null>,
  { sections, boxes, folded, rowHeight }: ListLayout,
  selectedKey: string | null,
): void {
  const reveals = useJobs((state) => state.reveals);
  const followed = useRef<{ key: string; reveals: number } | null>(null);
  useLayoutEffect(() => {
    const element = scrollerRef.current;
    if (element === null || selectedKey === null) return;
    if (followed.current?.key === selectedKey && followed.current.reveals === reveals) return;
    const top = topOf(selectedKey, { sections, boxes, folded, rowHeight });
    if (top === null) return;
    followed.current = { key: selectedKey, reveals };
    element.scrollTop = scrollToShow(
      { top, height: rowHeight },
      { top: element.scrollTop, height: element.clientHeight, headHeight },
    );
  }, [scrollerRef, sections, boxes, folded, rowHeight, selectedKey, reveals]);
}

/** While the list is scrolled, its rows are reported only after a pause. */
const reportRestMs = 150;

/** Reports which active jobs are on screen, so that their rows and the head of Active are kept up to date. */
export function useWatchRows(scrollerRef: RefObject<HTMLDivElement | null>, layout: ListLayout): void {
  const { sections, boxes, folded, rowHeight } = layout;
  const list = useJobs((state) => state.list);
  useEffect(() => {
    const element = scrollerRef.current;
    if (element === null) return undefined;
    const report = (): void => {
      const keys = keysInView(element.scrollTop, element.clientHeight, { sections, boxes, folded, rowHeight });
      const inHead = sections.flatMap((section) => oldestQueuedOf(section, list)?.key ?? []);
      const inRows = keys.filter((key) => {
        const job = list.get(key);
        return job !== undefined && isLive(job);
      });
      showRows([...new Set([...inHead, ...inRows])]);
    };
    const { request: reportAtRest, cancel } = createDebounce(reportRestMs, report);
    report();
    element.addEventListener('scroll', reportAtRest, { passive: true });
    return () => {
      cancel();
      element.removeEventListener('scroll', reportAtRest);
    };
  }, [scrollerRef, sections, boxes, folded, rowHeight, list]);
  useEffect(() => () => showRows([]), []);
}
