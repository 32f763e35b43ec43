import { useEffect, useRef, useState } from 'react';
import { createLatest } from './latest.ts';

/** A masked value that is shown for a moment. */
export interface Revealed {
  name: string;
  value: string;
}

/** For how long (design language: Secrets). */
const revealedMs = 10_000;

/** What is shown, and what changes that. */
interface Reveals {
  revealed: Revealed | null;
  show: (revealed: Revealed) => void;
  /** Waits for the answer to a press. Null: something else was pressed meanwhile, so the answer is not wanted. */
  latest: <T>(answer: Promise<T>) => Promise<T | null>;
  hide: () => void;
}

/**
 * Shows one value at a time, for ten seconds, as long as the window is visible and `source`, where the value comes
 * from, stays the same.
 */
export function useRevealed(source: unknown = null): Reveals {
  const presses = useRef(createLatest());
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
  useEffect(() => () => presses.current.cancel(), [source]);
  const set = (next: Revealed | null): void => {
    presses.current.cancel();
    setRevealed(next);
  };
  return {
    revealed,
    show: set,
    latest: (answer) => presses.current.of(answer),
    hide: () => set(null),
  };
}
