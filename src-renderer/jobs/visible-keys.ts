import { create } from 'zustand';
import { isSameFilter } from '../data/job-matches-filter.ts';
import { useJobs } from '../data/jobs-store.ts';
import { makeSections } from './sections.ts';
import { engineNow } from '../data/engine-time.ts';

/** The keys of the rows that are shown in an order of their own, instead of the list. Null: the list is shown. */
export const useShownOrder = create<{ keys: readonly string[] | null }>(() => ({ keys: null }));

/** Keys of the shown rows, top to bottom, without those of collapsed groups. For commands, not for drawing rows. */
export function visibleKeys(): string[] {
  const { keys } = useShownOrder.getState();
  if (keys !== null) return [...keys];
  const { list, hasMore, folded, shownSort } = useJobs.getState();
  return makeSections(list, engineNow(), hasMore, { sort: shownSort })
    .filter((section) => !folded.has(section.id))
    .flatMap((section) => section.keys.slice(section.from, section.from + section.count));
}

/** Whether every shown row is selected. */
export function isAllLoadedPicked(): boolean {
  const { pickedKeys } = useJobs.getState();
  const keys = visibleKeys();
  return keys.length > 0 && keys.every((key) => pickedKeys.has(key));
}

/**
 * Selects every shown row. While the rows of another filter are being read, those on screen were not asked for: the
 * others are selected as soon as they are there.
 */
export function pickShown(): void {
  const { filter, shownFilter, pick } = useJobs.getState();
  if (shownFilter === null || isSameFilter(filter, shownFilter)) {
    pick(visibleKeys());
    return;
  }
  const stop = useJobs.subscribe((now) => {
    const areRead = isSameFilter(now.filter, now.shownFilter);
    if (now.filter === filter && !areRead && now.status !== 'failed') return;
    stop();
    if (now.filter === filter && areRead) pick(visibleKeys());
  });
}

/** These keys in the order of their rows. Those of collapsed groups come last. */
export function inShownOrder(keys: Iterable<string>): string[] {
  const wanted = new Set(keys);
  const shown = visibleKeys().filter((key) => wanted.has(key));
  return [...new Set([...shown, ...wanted])];
}

/** The jobs that a comparison of the selected ones has: a single one is compared with the open job. Pure. */
export function withOpen(picked: readonly string[], openKey: string | null): readonly string[] {
  return picked.length === 1 && openKey !== null && !picked.includes(openKey) ? [openKey, ...picked] : picked;
}

/** The key of the job that is open beside the list, or null. */
export function openJobKey({ isDetailOpen, selectedKey } = useJobs.getState()): string | null {
  return isDetailOpen ? selectedKey : null;
}

/** Moves the focus by `step` rows, skipping collapsed groups. `isExtending` selects up to there (`extendTo`). */
export function moveFocus(step: number, isExtending = false): boolean {
  const { selectedKey, focus } = useJobs.getState();
  const keys = visibleKeys();
  const from = isExtending ? (currentRange()?.end ?? selectedKey) : selectedKey;
  const at = from === null ? -1 : keys.indexOf(from);
  const wanted = at === -1 ? (step > 0 ? 0 : keys.length - 1) : at + step;
  const key = keys[Math.max(0, Math.min(keys.length - 1, wanted))];
  if (key === undefined) return false;
  if (isExtending) extendTo(key, true);
  else focus(key);
  return true;
}

/** The rows that were last selected with Shift. */
interface Range {
  /** Where the selection began. It stays while the other end moves. */
  anchor: string;
  end: string;
  /** What was focused and selected afterwards. If either is another now, the range is over. */
  focused: string | null;
  picked: ReadonlySet<string>;
}

let lastRange: Range | null = null;

/** The range that Shift continues. Null if the focus or the selection has changed since. */
function currentRange(): Range | null {
  const { selectedKey, pickedKeys } = useJobs.getState();
  return lastRange?.focused === selectedKey && lastRange.picked === pickedKeys ? lastRange : null;
}

/**
 * Selects the rows from the anchor to this one, and no others, so that a range can also be made smaller. The anchor is
 * that of the current range, or else the focused row. `isFocusing` moves the focus too.
 */
export function extendTo(key: string, isFocusing: boolean): void {
  const { selectedKey, pick, focus } = useJobs.getState();
  const keys = visibleKeys();
  const wanted = currentRange()?.anchor ?? selectedKey;
  // A row that is no longer in the list has no rows between.
  const anchor = wanted !== null && keys.includes(wanted) ? wanted : key;
  const [from = 0, to = 0] = [keys.indexOf(anchor), keys.indexOf(key)].sort((a, b) => a - b);
  pick(from === -1 ? [key] : keys.slice(from, to + 1));
  if (isFocusing) focus(key);
  const { selectedKey: focused, pickedKeys: picked } = useJobs.getState();
  lastRange = { anchor, end: key, focused, picked };
}
