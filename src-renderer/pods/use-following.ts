import { useEffect, useEffectEvent, useState } from 'react';
import { nextFollowMs } from './initialising-schedule.ts';
import type { PodInView } from './use-pod.ts';

/** What the follow-up of a starting pod does now. */
export type FollowState =
  /** It does not start, or cannot be asked. */
  | { kind: 'none' }
  | { kind: 'waiting'; nextAtMs: number }
  /** Ten minutes are over. */
  | { kind: 'stopped'; goOn: () => void };

/** Reads a pod again while it starts: only while this window can be seen, at growing pauses, for ten minutes. */
export function useFollowing({ following, isReading, read, followOn }: PodInView): FollowState {
  const isVisible = useVisible();
  const readNow = useEffectEvent(read);

  const nextAtMs = following === null ? null : nextFollowMs(following);
  const isWaiting = nextAtMs !== null && isVisible && !isReading;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => readNow(), Math.max(0, nextAtMs - Date.now()));
    return () => clearTimeout(timer);
  }, [isWaiting, nextAtMs]);

  if (following === null) return { kind: 'none' };
  if (nextAtMs !== null) return { kind: 'waiting', nextAtMs };
  return { kind: 'stopped', goOn: followOn };
}

function useVisible(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const look = (): void => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isVisible;
}
