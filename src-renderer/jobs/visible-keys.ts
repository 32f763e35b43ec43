import { useJobs } from '../data/jobs-store.ts';
import { makeSections } from './sections.ts';

/** Keys of the shown rows, top to bottom, without those of collapsed groups. For commands, not for drawing rows. */
export function visibleKeys(): string[] {
  const { list, hasMore, folded, shownSort } = useJobs.getState();
  return makeSections(list, Date.now(), hasMore, 0, shownSort)
    .filter((section) => !folded.has(section.id))
    .flatMap((section) => section.keys.slice(section.from, section.from + section.count));
}

/** Whether every shown row is selected. */
export function isAllLoadedPicked(): boolean {
  const { pickedKeys } = useJobs.getState();
  const keys = visibleKeys();
  return keys.length > 0 && keys.every((key) => pickedKeys.has(key));
}

/** These keys in the order of their rows. Those of collapsed groups come last. */
export function inShownOrder(keys: Iterable<string>): string[] {
  const wanted = new Set(keys);
  const shown = visibleKeys().filter((key) => wanted.has(key));
  return [...new Set([...shown, ...wanted])];
}

/** Moves the focus by `step` rows, skipping collapsed groups. `isExtending` selects the rows on the way. */
export function moveFocus(step: number, isExtending = false): boolean {
  const { selectedKey, focus, pick, pickedKeys } = useJobs.getState();
  const keys = visibleKeys();
  if (keys.length === 0) return false;
  const at = selectedKey === null ? -1 : keys.indexOf(selectedKey);
  const wanted = at === -1 ? (step > 0 ? 0 : keys.length - 1) : at + step;
  const key = keys[Math.max(0, Math.min(keys.length - 1, wanted))];
  if (key === undefined) return false;
  if (isExtending) pick(new Set([...pickedKeys, ...(selectedKey === null ? [] : [selectedKey]), key]));
  focus(key);
  return true;
}
