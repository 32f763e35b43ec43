import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import type { SearchState } from '../design/search-bar.tsx';
import { findText } from '../messages/stream/output.tsx';
import { hideFound, rangesIn, showFound } from '../stream/found-ranges.ts';

/** The attribute of the value with the current match, which is then shown whole. */
const currentMark = 'data-found';

/** A search through the names and values of the facts that are drawn in `page`. Matches are highlighted there. */
export function useFactFind(page: RefObject<HTMLElement | null>, isFinding: boolean): SearchState {
  const [wanted, setWanted] = useState('');
  const [chosen, setChosen] = useState(0);
  const count = useMatchCount(page, isFinding ? wanted : '');
  const at = Math.min(chosen, count - 1);
  /** Whether the current match has to be scrolled to. */
  const isGoing = useRef(false);
  // After every drawing, because ranges end with their nodes.
  useLayoutEffect(() => {
    if (!isFinding) return undefined;
    const ranges = matchesIn(page.current, wanted);
    const current = ranges[at] ?? null;
    showFound(ranges, current);
    const part = current?.startContainer.parentElement?.closest('dt, dd') ?? null;
    part?.setAttribute(currentMark, '');
    if (isGoing.current) part?.scrollIntoView({ block: 'nearest' });
    isGoing.current = false;
    return () => part?.removeAttribute(currentMark);
  });
  useEffect(() => (isFinding ? hideFound : undefined), [isFinding]);

  const go = (index: number): void => {
    isGoing.current = true;
    setChosen(index);
  };
  const move = (by: 1 | -1): void => {
    if (count > 0) go((at + by + count) % count);
  };
  return {
    wanted,
    setWanted: (text) => {
      setWanted(text);
      go(0);
    },
    found: foundText(wanted, at, count),
    next: () => move(1),
    previous: () => move(-1),
  };
}

function foundText(wanted: string, at: number, count: number): string {
  if (wanted.trim() === '') return '';
  return count === 0 ? findText.noMatches : findText.place(at + 1, findText.count(count, false));
}

/** How many matches are drawn, also while facts appear and change. */
function useMatchCount(page: RefObject<HTMLElement | null>, wanted: string): number {
  const watch = (changed: () => void): (() => void) => {
    const observer = new MutationObserver(changed);
    if (page.current !== null && wanted !== '')
      observer.observe(page.current, { subtree: true, childList: true, characterData: true });
    return () => observer.disconnect();
  };
  return useSyncExternalStore(watch, () => matchesIn(page.current, wanted).length);
}

/** The matches in names and values, in the order of the page. None extends from a name into its value. */
function matchesIn(page: HTMLElement | null, wanted: string): Range[] {
  if (page === null || wanted === '') return [];
  return [...page.querySelectorAll('dt, dd')].flatMap((part) => rangesIn(part, wanted));
}
