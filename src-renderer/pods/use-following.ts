import { useEffect, useEffectEvent, useState } from 'react';
import { nextFollowMs } from './starting-schedule.ts';
import type { PodInView } from './use-pod.ts';
import { engineNow } from '../data/engine-time.ts';

/** What reading a starting pod again is doing now. */
export type FollowState =
  /** The pod is not starting, or cannot be read. */
  | { kind: 'none' }
  | { kind: 'waiting'; nextAtMs: number }
  /** Ten minutes have passed. */
  | { kind: 'stopped'; resume: () => void };

/** Reads a pod again while it starts: only while this window is visible, with growing pauses, for ten minutes. */
export function useFollowing({ following, isReading, read, resumeFollowing }: PodInView): FollowState {
  const isVisible = useVisible();
  const readNow = useEffectEvent(read);

  const nextAtMs = following === null ? null : nextFollowMs(following);
  const isWaiting = nextAtMs !== null && isVisible && !isReading;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => readNow(), Math.max(0, nextAtMs - engineNow()));
    return () => clearTimeout(timer);
  }, [isWaiting, nextAtMs]);

  if (following === null) return { kind: 'none' };
  if (nextAtMs !== null) return { kind: 'waiting', nextAtMs };
  return { kind: 'stopped', resume: resumeFollowing };
}

function useVisible(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const onVisibilityChange = (): void => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => document.removeEventListener('visibilitychange', onVisibilityChange);
  }, []);
  return isVisible;
}
