import { useEffect, useState } from 'react';

/** A masked value that is shown for a moment. */
export interface Revealed {
  name: string;
  value: string;
}

/** For how long (design language: Secrets). */
const revealedMs = 10_000;

/**
 * Shows one value at a time, for ten seconds, as long as the window is visible and `source`, where the value comes
 * from, stays the same.
 */
export function useRevealed(source: unknown = null): {
  revealed: Revealed | null;
  show: (revealed: Revealed) => void;
  hide: () => void;
} {
  const [revealed, setRevealed] = useState<Revealed | null>(null);
  const [readFrom, setReadFrom] = useState(source);
  if (readFrom !== source) {
    setReadFrom(source);
    setRevealed(null);
  }
  useEffect(() => {
    if (revealed === null) return undefined;
    const hide = (): void => setRevealed(null);
    const timer = setTimeout(hide, revealedMs);
    // Anyone who comes to the screen later must not see it.
    document.addEventListener('visibilitychange', hide);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', hide);
    };
  }, [revealed]);
  return { revealed, show: setRevealed, hide: () => setRevealed(null) };
}
