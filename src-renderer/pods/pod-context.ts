import { createContext, useContext } from 'react';
import type { PodInclude } from '../../src-preload/pod.ts';
import type { ReadReply } from './field-state.ts';

/** The reading that a window's fields are drawn from. */
export interface ShownPod extends ReadReply {
  connectionId: string;
  podId: string;
  /** The flags it was requested with. */
  include: readonly PodInclude[];
  hasValues: boolean;
  readAtMs: number;
}

export const PodContext = createContext<ShownPod | null>(null);

/** Reads the pod again with a flag that the last reading did not have. */
export const IncludeContext = createContext<(flag: PodInclude) => void>(() => {});

/** The reading that is shown. Only the panels may call it: they are drawn when there is a reading. */
export function useShownPod(): ShownPod {
  const pod = useContext(PodContext);
  if (pod === null) throw new Error('There is no pod to read fields from.');
  return pod;
}
