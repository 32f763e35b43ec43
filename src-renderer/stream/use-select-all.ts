import { useEffect, useState, type KeyboardEvent } from 'react';
import { hasCommandKey } from '../design/keyboard/platform.ts';

/** Ctrl A selects the whole text, not only the part in the document. Ctrl C then copies it. */
export function useSelectAll(copy: () => void) {
  const [isSelected, setSelected] = useState(false);
  const end = (): void => setSelected(false);
  // Any other selection replaces it.
  useEffect(() => {
    if (!isSelected) return undefined;
    const onSelect = (): void => {
      if (window.getSelection()?.isCollapsed === false) setSelected(false);
    };
    document.addEventListener('selectionchange', onSelect);
    return () => document.removeEventListener('selectionchange', onSelect);
  }, [isSelected]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const key = event.key.toLowerCase();
    if (event.key === 'Escape' && isSelected) end();
    else if (hasCommandKey(event) && !event.shiftKey && !event.altKey && key === 'a') {
      window.getSelection()?.removeAllRanges();
      setSelected(true);
    } else if (hasCommandKey(event) && !event.shiftKey && !event.altKey && key === 'c' && isSelected) copy();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { isSelected, end, onKeyDown };
}
