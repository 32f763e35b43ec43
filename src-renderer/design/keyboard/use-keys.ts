import { useEffectEvent, useLayoutEffect } from 'react';
import { isCovered, isTyping } from './key-target.ts';
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

/** What is read of a key press. */
type KeyPress = Event &
  Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'isComposing'>;

/** A key that moves, so that it acts again and again while it is held. */
const moves: ReadonlySet<string> = new Set(['F8']);

/**
 * Calls `press` for each key without Ctrl, ⌘ or Alt, unless somebody else has handled it, it goes into a field, or
 * something covers the pane. However long a key is held, it acts once, unless it moves. `press` returns whether the key
 * means something here; the browser then does nothing else with it.
 */
export function usePlainKeys(press: (event: KeyPress) => boolean): void {
  const act = useEffectEvent(press);
  // Before the paint: a key that is pressed as soon as the pane is seen means something.
  useLayoutEffect(() => {
    const onKey = plainKeyListener(act);
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** The listener of `usePlainKeys`. */
export function plainKeyListener(press: (event: KeyPress) => boolean): (event: KeyPress) => void {
  /** Whether the key that is held meant something when it was pressed. */
  let wasHandled = false;
  return (event) => {
    if (!event.repeat) wasHandled = false;
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isCovered() || isTyping(event)) return;
    if (!event.repeat || moves.has(event.key)) wasHandled = press(event);
    // Also of a repeated one: Enter would press a button that has the focus.
    if (wasHandled) event.preventDefault();
  };
}
