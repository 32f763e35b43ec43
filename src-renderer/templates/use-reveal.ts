import { useEffect, useState } from 'react';
import type { Failure } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import type { TemplateAt } from './template-store.ts';

/** How long a value is shown (design language: Secrets). */
export const revealedMs = 10_000;

export interface Revealed {
  name: string;
  value: string;
}

/** Shows one value at a time, for ten seconds; also over a change of what lies around it. */
export function useReveal(): { revealed: Revealed | null; failure: { name: string; failure: Failure } | null; show: (revealed: Revealed) => void; ask: (at: TemplateAt, seq: number, name: string) => Promise<void>; hide: () => void } {
  const [revealed, setRevealed] = useState<Revealed | null>(null);
  const [failure, setFailure] = useState<{ name: string; failure: Failure } | null>(null);
  useEffect(() => {
    if (revealed === null) return undefined;
    const hide = (): void => setRevealed(null);
    const timer = setTimeout(hide, revealedMs);
    // Whoever looks at the screen later must not find it.
    document.addEventListener('visibilitychange', hide);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', hide);
    };
  }, [revealed]);
  const show = (next: Revealed): void => {
    setFailure(null);
    setRevealed(next);
  };
  return {
    revealed,
    failure,
    show,
    hide: () => setRevealed(null),
    ask: async (at, seq, name) => {
      const result = await call('template:reveal', { ...at, seq, name });
      if (result.ok) show({ name, value: result.value.value });
      else setFailure({ name, failure: result.failure });
    },
  };
}
