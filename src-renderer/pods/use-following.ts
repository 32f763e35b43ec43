import { useEffect, useRef, useState } from 'react';
import { isInitialising } from '../../src-preload/pod-ports.ts';
import { nextFollowMs } from './initialising-schedule.ts';
import type { Following } from './initialising-schedule.ts';
import type { PodInView } from './use-pod.ts';

/** What the follow-up of a starting pod does now. */
export type FollowState =
  /** It does not start, or cannot be asked. */
  | { kind: 'none' }
  | { kind: 'waiting'; nextAtMs: number }
  /** Ten minutes are over. */
  | { kind: 'stopped'; goOn: () => void };

/** Failures after which asking again by itself helps nobody. */
const final: ReadonlySet<string> = new Set(['unauthorized', 'not-found', 'no-key', 'refused', 'absent', 'invalid']);

/** Reads a pod again while it starts: only while this window can be seen, at growing pauses, for ten minutes. */
export function useFollowing(pod: PodInView): FollowState {
  const look = pod.known?.look ?? null;
  const failure = pod.failure?.failure ?? null;
  const isStarting = look !== null && isInitialising(look.reply.pod) && !(failure !== null && final.has(failure.kind));
  const isVisible = useVisible();
  const [following, setFollowing] = useState<Following | null>(null);
  const { reads, read } = pod;
  const readNow = useRef(read);
  readNow.current = read;

  const retryAfterMs = failure?.kind === 'rate-limited' ? (failure.retryAfterMs ?? 0) : 0;
  useEffect(() => {
    if (!isStarting) {
      setFollowing(null);
      return;
    }
    const nowMs = Date.now();
    setFollowing((before) =>
      before === null
        ? { sinceMs: nowMs, reads: 0, lastReadAtMs: nowMs, heldUntilMs: nowMs + retryAfterMs }
        : { ...before, reads: before.reads + 1, lastReadAtMs: nowMs, heldUntilMs: nowMs + retryAfterMs },
    );
  }, [isStarting, reads, retryAfterMs]);

  const nextAtMs = following === null ? null : nextFollowMs(following);
  const isWaiting = nextAtMs !== null && isVisible && !pod.isReading;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => readNow.current(), Math.max(0, nextAtMs - Date.now()));
    return () => clearTimeout(timer);
  }, [isWaiting, nextAtMs]);

  if (following === null) return { kind: 'none' };
  if (nextAtMs !== null) return { kind: 'waiting', nextAtMs };
  return {
    kind: 'stopped',
    goOn: () => setFollowing({ sinceMs: Date.now(), reads: 0, lastReadAtMs: Date.now() - 60_000, heldUntilMs: 0 }),
  };
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
