import { useState } from 'react';
import type { Failure } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { useRevealed } from '../design/use-revealed.ts';
import type { Revealed } from '../design/use-revealed.ts';
import type { TemplateAt } from './template-store.ts';

/** The one value of a variable that is shown, or why it could not be; asked for in a kept copy, or shown as typed. */
export function useReveal(): {
  revealed: Revealed | null;
  failure: { name: string; failure: Failure } | null;
  show: (revealed: Revealed) => void;
  ask: (at: TemplateAt, seq: number, name: string) => Promise<void>;
  hide: () => void;
} {
  const { revealed, show: showValue, hide } = useRevealed();
  const [failure, setFailure] = useState<{ name: string; failure: Failure } | null>(null);
  const show = (next: Revealed): void => {
    setFailure(null);
    showValue(next);
  };
  return {
    revealed,
    failure,
    show,
    hide,
    ask: async (at, seq, name) => {
      const result = await call('template:reveal', { ...at, seq, name });
      if (result.ok) show({ name, value: result.value.value });
      else setFailure({ name, failure: result.failure });
    },
  };
}
