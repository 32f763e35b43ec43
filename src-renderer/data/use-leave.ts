import { useEffect, useEffectEvent } from 'react';

/**
 * Calls `run` when the component goes away, with what it showed last, and when the window closes. For fields that save
 * when they lose the focus: a field that goes away with the focus in it, such as by Escape, reports no loss of it.
 */
export function useLeave(run: () => void): void {
  const leave = useEffectEvent(run);
  useEffect(() => {
    const onClose = (): void => leave();
    // Before what is saved when the window closes (`beforeLeaving`), which this may change.
    window.addEventListener('pagehide', onClose, { capture: true });
    return () => {
      window.removeEventListener('pagehide', onClose, { capture: true });
      leave();
    };
  }, []);
}
