import { useEffect, useEffectEvent } from 'react';

/**
 * Calls `run` when the component goes away, with what it showed last. For fields that save when they lose the focus: a
 * field that goes away with the focus in it, such as by Escape, reports no loss of it.
 */
export function useLeave(run: () => void): void {
  const leave = useEffectEvent(run);
  useEffect(() => () => leave(), []);
}
