import type { FocusEvent, MouseEvent } from 'react';
import { useJobs } from '../data/jobs-store.ts';
import { visibleKeys, extendTo } from './visible-keys.ts';

/**
 * A press on a row does `plain`. With a modifier key, or on its glyph, it selects the job, and on its sign to open, it
 * opens it.
 */
function pressRow(key: string, event: MouseEvent, plain: (key: string) => void): void {
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

/** When a list was reached by Tab and no row is focused, the first one is. */
export function focusFirstRow({ target }: FocusEvent): void {
  const { selectedKey, focus } = useJobs.getState();
  const [first] = selectedKey === null && target.matches(':focus-visible') ? visibleKeys() : [];
  if (first !== undefined) focus(first);
}

/** A press on a row of a list: the list has the keyboard then, and the row is opened (`select`) or only focused. */
export function pressInList(list: HTMLElement | null, how: 'select' | 'focus', key: string, event: MouseEvent): void {
  list?.focus({ preventScroll: true });
  pressRow(key, event, (pressed) => useJobs.getState()[how](pressed));
}
