import { useDeferredValue, type ReactNode } from 'react';

/**
 * Draws its content right after what surrounds it: that is on screen before, and not as late as this. What is around it
 * keeps its room.
 */
export function Afterwards({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null;
}
