import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react';

export interface Follow {
  scroller: RefObject<HTMLDivElement | null>;
  /** True if something is scrolled out at the top, for the fade at that edge. */
  isScrolled: boolean;
  onScroll: () => void;
}

/** This close to the end counts as the end. */
const slackPx = 6;
/** A scroll this soon after a wheel or a key is the user's. Any other is caused by a new layout. */
const ownScrollMs = 400;
const scrollKeys: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ']);
const upKeys: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Keeps a scroller at its end while `isFollowing`. Stops when the user scrolls up, and continues at the end. `version`
 * changes with every growth.
 */
export function useFollow(
  version: unknown,
  isFollowing: boolean,
  onFollowChange: (isFollowing: boolean) => void,
): Follow {
  const scroller = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  // Set immediately: before the next render, content may grow and would be followed.
  const isLetGo = useRef(false);
  const [isScrolled, setScrolled] = useState(false);
  const ownScroll = useOwnScroll(scroller, () => onFollowChange(true));

  const stick = useCallback((): void => {
    const element = scroller.current;
    if (element === null || isLetGo.current) return;
    // The user has scrolled up, and the event that says so is still to come.
    if (ownScroll().isUp && element.scrollTop < lastTop.current - 1) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, [ownScroll]);

  // While it does not follow, a size that is observed late must not scroll to the end.
  useLayoutEffect(() => {
    isLetGo.current = !isFollowing;
  }, [isFollowing]);

  useLayoutEffect(() => {
    if (isFollowing) stick();
  }, [version, isFollowing, stick]);

  // Code or fonts that load late, and a resized pane, move the end as well.
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
    const { isDown, isOwn } = ownScroll();
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= slackPx;
    if (isOwn && isFollowing && !isAtEnd && element.scrollTop < lastTop.current - 1) {
      isLetGo.current = true;
      // Not before the virtual list has this event too: it would measure new rows from where the view was before.
      requestAnimationFrame(() => onFollowChange(false));
      // What is measured above the view moves it, at times as far as the end. After a scroll up the user did not.
    } else if (isDown && !isFollowing && isAtEnd && element.scrollTop > lastTop.current) {
      onFollowChange(true);
    }
    lastTop.current = element.scrollTop;
    setScrolled(element.scrollTop > 4);
  }, [isFollowing, onFollowChange, ownScroll]);

  return { scroller, isScrolled, onScroll };
}

/** What the user did to a scroller just now. */
interface OwnScroll {
  isOwn: boolean;
  /** It may have been upwards, downwards, or, while the bar is dragged, either. */
  isUp: boolean;
  isDown: boolean;
}

/**
 * Tells a scroll by the user from one that a new layout causes. Returns the function that says what the user did.
 * `onEnd`: the key that goes to the end was pressed.
 */
function useOwnScroll(scroller: RefObject<HTMLDivElement | null>, onEnd: () => void): () => OwnScroll {
  const lastIntent = useRef({ atMs: -Infinity, isUp: false });
  const isDragging = useRef(false);
  const goToEnd = useEffectEvent(onEnd);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const intend = (isUp: boolean): void => {
      lastIntent.current = { atMs: performance.now(), isUp };
    };
    const onWheel = ({ deltaY }: WheelEvent): void => intend(deltaY < 0);
    const onTouch = (): void => intend(false);
    const onKey = (event: KeyboardEvent): void => {
      if (scrollKeys.has(event.key)) intend(upKeys.has(event.key) || (event.key === ' ' && event.shiftKey));
      // The end may have moved before the scroll event.
      if (event.key === 'End' && !event.shiftKey) goToEnd();
      if (event.key !== 'Home' || event.shiftKey) return;
      // Set without animation, because measuring on the way would end the animation.
      event.preventDefault();
      element.scrollTop = 0;
    };
    const onDown = (): void => {
      isDragging.current = true;
    };
    const onUp = (): void => {
      isDragging.current = false;
    };
    element.addEventListener('wheel', onWheel, { passive: true });
    element.addEventListener('touchmove', onTouch, { passive: true });
    element.addEventListener('keydown', onKey);
    element.addEventListener('pointerdown', onDown);
    window.addEventListener('pointerup', onUp);
    return () => {
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('touchmove', onTouch);
      element.removeEventListener('keydown', onKey);
      element.removeEventListener('pointerdown', onDown);
      window.removeEventListener('pointerup', onUp);
    };
  }, [scroller]);
  return useCallback(() => {
    const { atMs, isUp } = lastIntent.current;
    const isOwn = isDragging.current || performance.now() - atMs < ownScrollMs;
    return { isUp: isOwn && (isDragging.current || isUp), isDown: isOwn && (isDragging.current || !isUp), isOwn };
  }, []);
}
