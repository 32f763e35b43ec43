import { useEffectEvent, useLayoutEffect } from 'react';
import { isCovered, isTyping } from './key-target.ts';

/**
 * Calls `press` for each key without Ctrl, ⌘ or Alt, unless somebody else has handled it, it goes into a field, or
 * something covers the pane. `press` returns whether the key means something here; the browser then does nothing else
 * with it.
 */
export function usePlainKeys(press: (event: KeyboardEvent) => boolean): void {
  const act = useEffectEvent(press);
  // Before the paint: a key that is pressed as soon as the pane is seen means something.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isCovered() || isTyping(event)) return;
      if (act(event)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
