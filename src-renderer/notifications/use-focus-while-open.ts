import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * Takes the focus into a panel when it opens, and returns it when it closes. Escape also closes it when nothing has the
 * focus.
 */
export function useFocusWhileOpen(panel: RefObject<HTMLElement | null>, onClose: () => void): void {
  const before = useRef<Element>(null);
  // Before the paint: Escape that is pressed as soon as it is seen closes it, and nothing behind it.
  useLayoutEffect(() => {
    before.current = document.activeElement;
    panel.current?.focus();
  }, [panel]);
  // If it is closed with the focus in it, the focus returns to the bell or the list.
  useEffect(
    () => () => {
      if (document.activeElement === document.body && before.current instanceof HTMLElement) before.current.focus();
    },
    [],
  );
  useLayoutEffect(() => {
    // A button that did its work is gone, and the focus with it.
    const closeUnfocused = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || document.activeElement !== document.body) return;
      event.stopPropagation();
      onClose();
    };
    window.addEventListener('keydown', closeUnfocused, true);
    return () => window.removeEventListener('keydown', closeUnfocused, true);
  }, [onClose]);
}
