import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { SearchState } from '../design/search-bar.tsx';
import { findText } from '../messages/stream/output.tsx';
import { hideFound, rangesIn, showFound } from '../stream/found-ranges.ts';

/** The attribute of the value with the current match, which is then shown whole. */
const currentMark = 'data-found';

/** A search through the names and values of the facts that are drawn in `page`. Matches are highlighted there. */
export function useFactFind(page: RefObject<HTMLElement | null>, isFinding: boolean): SearchState {
  const [wanted, setWanted] = useState('');
  const [at, setAt] = useState(0);
  const [count, setCount] = useState(0);
  /** Whether the current match has to be scrolled to. */
  const isGoing = useRef(false);
  // After every drawing, because ranges end with their nodes.
  useLayoutEffect(() => {
    const element = page.current;
    if (!isFinding || element === null) return undefined;
    const ranges = [...element.querySelectorAll('dt, dd')].flatMap((part) => rangesIn(part, wanted));
    const current = ranges[Math.min(at, ranges.length - 1)] ?? null;
    setCount(ranges.length);
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
    setAt(index);
  };
  const move = (by: 1 | -1): void => {
    if (count > 0) go((Math.min(at, count - 1) + by + count) % count);
  };
  return {
    wanted,
    setWanted: (text) => {
      setWanted(text);
      go(0);
    },
    found:
      wanted.trim() === ''
        ? ''
        : count === 0
          ? findText.noMatches
          : findText.place(Math.min(at, count - 1) + 1, findText.count(count, false)),
    next: () => move(1),
    previous: () => move(-1),
  };
}
