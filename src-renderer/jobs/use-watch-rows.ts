import { useEffect, type RefObject } from 'react';
import { isLive } from '../../src-preload/job.ts';
import { createDebounce } from '../data/throttle.ts';
import { useJobs } from '../data/jobs-store.ts';
import { showRows } from '../data/on-view.ts';
import { keysInView, type ListLayout } from './row-window.ts';
import { oldestQueuedOf } from './section-summary.ts';

/** While the list is scrolled, its rows are reported only after a pause. */
const restMs = 150;

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
    const { request: reportAtRest, cancel } = createDebounce(restMs, report);
    report();
    element.addEventListener('scroll', reportAtRest, { passive: true });
    return () => {
      cancel();
      element.removeEventListener('scroll', reportAtRest);
    };
  }, [scrollerRef, sections, boxes, folded, rowHeight, list]);
  useEffect(() => () => showRows([]), []);
}
