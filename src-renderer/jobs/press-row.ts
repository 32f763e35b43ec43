import type { MouseEvent } from 'react';
import { useJobs } from '../data/jobs-store.ts';
import { extendTo } from './visible-keys.ts';

/**
 * A press on a row does `plain`. With a modifier key, or on its glyph, it selects the job, and on its sign to open, it
 * opens it.
 */
export function pressRow(key: string, event: MouseEvent, plain: (key: string) => void): void {
  const isOnGlyph = event.target instanceof Element && event.target.closest('[data-pick]') !== null;
  const isOnOpen = event.target instanceof Element && event.target.closest('[data-open]') !== null;
  const jobs = useJobs.getState();
  if (isOnOpen) {
    jobs.select(key);
    return;
  }
  if (isOnGlyph || event.ctrlKey || event.metaKey) {
    jobs.togglePicked(key);
    if (!jobs.isDetailOpen) jobs.focus(key);
  } else if (event.shiftKey && jobs.selectedKey !== null) extendTo(key, false);
  else plain(key);
}
