import { useEffectEvent, useLayoutEffect } from 'react';
import { isCovered } from './key-target.ts';
import { hasCommandKey } from './platform.ts';

/** Calls `run` on Ctrl (or ⌘) and a letter, while `isWanted` is true and nothing covers the pane. */
export function useCommandKey(letter: string, isWanted: boolean, run: () => void): void {
  const act = useEffectEvent(run);
  // Before the paint, so that the key works from the first moment in which one can see what it is for.
  useLayoutEffect(() => {
    if (!isWanted) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (
        event.defaultPrevented ||
        !hasCommandKey(event) ||
        event.shiftKey ||
        event.altKey ||
        event.key.toLowerCase() !== letter ||
        isCovered()
      )
        return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [letter, isWanted]);
}
