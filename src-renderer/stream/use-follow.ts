import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

export interface Follow {
  scroller: RefObject<HTMLDivElement | null>;
  /** True when something is scrolled out above, for the fade at the top edge. */
  isScrolled: boolean;
  onScroll: () => void;
}

/** This near to the end counts as the end. */
const slackPx = 6;

/**
 * Keeps a scroller at its end while `isFollowing`, and lets go as soon as the reader scrolls up; takes hold again at the end.
 * `version` changes with every growth.
 */
export function useFollow(version: unknown, isFollowing: boolean, onFollowChange: (isFollowing: boolean) => void): Follow {
  const scroller = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const [isScrolled, setScrolled] = useState(false);

  const stick = useCallback((): void => {
    const element = scroller.current;
    if (element === null) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, []);

  useLayoutEffect(() => {
    if (isFollowing) stick();
  }, [version, isFollowing, stick]);

  // Text that loads late (the markdown code, a font) and a resized pane move the end as well.
  useEffect(() => {
    const element = scroller.current;
    if (element === null || !isFollowing) return undefined;
    const observer = new ResizeObserver(stick);
    observer.observe(element);
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, [isFollowing, stick]);

  const onScroll = useCallback((): void => {
    const element = scroller.current;
    if (element === null) return;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= slackPx;
    if (isFollowing && !isAtEnd && element.scrollTop < lastTop.current - 1) onFollowChange(false);
    else if (!isFollowing && isAtEnd && element.scrollTop > lastTop.current) onFollowChange(true);
    lastTop.current = element.scrollTop;
    setScrolled(element.scrollTop > 4);
  }, [isFollowing, onFollowChange]);

  return { scroller, isScrolled, onScroll };
}
