import { createContext, useContext } from 'react';
import type { PodInclude } from '../../src-preload/pod.ts';
import type { ReadReply } from './field-state.ts';

/** The look that the fields of a window are read from. */
export interface PodInHand extends ReadReply {
  connectionId: string;
  podId: string;
  /** The flags it was asked with. */
  include: readonly PodInclude[];
  hasValues: boolean;
  readAtMs: number;
}

export const PodContext = createContext<PodInHand | null>(null);

/** Asks for a flag that the last look was read without. */
export const AskContext = createContext<(flag: PodInclude) => void>(() => {});

/** The look in hand; only inside the panels, which are drawn when there is one. */
export function usePodInHand(): PodInHand {
  const pod = useContext(PodContext);
  if (pod === null) throw new Error('There is no pod to read fields from.');
  return pod;
}
