import type { FocusEvent, MouseEvent } from 'react';
import { useJobs } from '../data/jobs-store.ts';
import { pressRow } from './press-row.ts';
import { visibleKeys } from './visible-keys.ts';

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
