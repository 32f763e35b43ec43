import { useLayoutEffect } from 'react';

/**
 * Toasts lie over the list or the pane, and never over the job or the sidebar beside it, however wide they are.
 * `fromPx`: where the list or pane begins in the window. `widthPx`: its width.
 */
export function useToastsOver(fromPx: number, widthPx: number): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    style.setProperty('--toasts-from', `${fromPx}px`);
    style.setProperty('--toasts-width', `${widthPx}px`);
    return () => {
      style.removeProperty('--toasts-from');
      style.removeProperty('--toasts-width');
    };
  }, [fromPx, widthPx]);
}
