import { useLayoutEffect, useState, type RefObject } from 'react';

/** What the size of a job's pane leaves room for. */
export interface PaneRoom {
  /** The facts fit beside the longest lines of an output. */
  isWide: boolean;
  /** Below a few words about an empty output, the input fits. */
  isTall: boolean;
}

/** Lines of at most 720 px with their padding, and the narrowest column of facts. */
const wideFromPx = 1_080;
const tallFromPx = 720;

/** The room of the element that `ref` has. Drawn again only when it changes, and not for every size between. */
export function usePaneRoom(ref: RefObject<HTMLElement | null>): PaneRoom {
  const [room, setRoom] = useState<PaneRoom>({ isWide: false, isTall: false });
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const isWide = element.clientWidth >= wideFromPx;
      const isTall = element.clientHeight >= tallFromPx;
      setRoom((before) => (before.isWide === isWide && before.isTall === isTall ? before : { isWide, isTall }));
    };
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return room;
}
