import { useEffect, useRef } from 'react';
import { isCovered } from '../design/key-target.ts';
import { hasCommandKey } from '../design/platform.ts';

/** Ctrl F searches what the pane shows, while there is something to search. */
export function useFindKey(isWanted: boolean, onFind: () => void): void {
  const latest = useRef(onFind);
  latest.current = onFind;
  useEffect(() => {
    if (!isWanted) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (
        event.defaultPrevented ||
        !hasCommandKey(event) ||
        event.shiftKey ||
        event.altKey ||
        event.key.toLowerCase() !== 'f' ||
        isCovered()
      )
        return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isWanted]);
}
