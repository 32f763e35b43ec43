import { useCallback, useEffect, useRef, useState } from 'react';
import type { Failure, Result } from '../../src-preload/failure.ts';
import { podIdProblem, type KnownPod } from '../../src-preload/pod-reading.ts';
import { podIncludes, type PodInclude } from '../../src-preload/pod.ts';
import { call } from '../bridge.ts';
import { followAfter, followAnew, type Following } from './initialising-schedule.ts';

/** Asked for unless the last look was made with other flags: what says most about the pod itself. */
const firstIncludes: readonly PodInclude[] = ['includeMachine', 'includeNetworkVolume', 'includeSavingsPlans'];
/** Several switches in a row make one request. */
const settleMs = 250;

/** A pod as its window shows it: what is known, and how the last read went. */
export interface PodInView {
  /** Null until this computer's own records answered. */
  known: KnownPod | null;
  include: readonly PodInclude[];
  isReading: boolean;
  /** Why the last read failed, and when; null after one that worked. */
  failure: { failure: Failure; atMs: number } | null;
  /** How the pod is read again while it starts; null where it is not. */
  following: Following | null;
  /** Goes on with that after it has stopped. */
  followOn: () => void;
  read: () => void;
  setInclude: (flag: PodInclude, isOn: boolean) => void;
  setPinned: (isPinned: boolean) => void;
}

/** What is known of the pod, how the last call went, and what follows from both. */
interface PodState {
  known: KnownPod | null;
  failure: PodInView['failure'];
  following: Following | null;
}

/** The state after one more answer about the pod. */
function afterAnswer(before: PodState, result: Result<KnownPod>, nowMs: number): PodState {
  const known = result.ok ? result.value : before.known;
  const failure = result.ok ? null : { failure: result.failure, atMs: nowMs };
  return {
    known,
    failure,
    following: followAfter(before.following, known?.look ?? null, failure?.failure ?? null, nowMs),
  };
}

/** Opens a pod with what is known, then reads it once; `mayRead` false keeps it from asking the service. */
export function usePod(connectionId: string, podId: string, mayRead: boolean): PodInView {
  const [state, setState] = useState<PodState>({ known: null, failure: null, following: null });
  const [include, setIncludes] = useState<readonly PodInclude[]>(firstIncludes);
  const [isReading, setReading] = useState(false);
  const latest = useRef(0);

  const readWith = useCallback(
    async (flags: readonly PodInclude[]): Promise<void> => {
      latest.current += 1;
      const mine = latest.current;
      setReading(true);
      const result = await call('pod:read', { connectionId, podId, include: [...flags] });
      // A later read says more.
      if (mine !== latest.current) return;
      setReading(false);
      setState((before) => afterAnswer(before, result, Date.now()));
    },
    [connectionId, podId],
  );

  useEffect(() => {
    let isCurrent = true;
    if (podIdProblem(podId) !== null) return undefined;
    void call('pod:open', { connectionId, podId }).then((result) => {
      if (!isCurrent) return;
      const flags = result.ok && result.value.look !== null ? result.value.look.include : firstIncludes;
      setIncludes(flags);
      setState((before) => afterAnswer(before, result, Date.now()));
      if (mayRead) void readWith(flags);
    });
    return () => {
      isCurrent = false;
      latest.current += 1;
      setReading(false);
    };
  }, [connectionId, podId, mayRead, readWith]);

  const settling = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(
    () => () => {
      if (settling.current !== null) clearTimeout(settling.current);
    },
    [],
  );

  return {
    ...state,
    include,
    isReading,
    followOn: () => setState((before) => ({ ...before, following: followAnew(Date.now()) })),
    read: () => void readWith(include),
    setInclude: (flag, isOn) => {
      const flags = podIncludes.filter((one) => (one === flag ? isOn : include.includes(one)));
      setIncludes(flags);
      if (settling.current !== null) clearTimeout(settling.current);
      settling.current = setTimeout(() => void readWith(flags), settleMs);
    },
    setPinned: (isPinned) => {
      void call('pod:pin', { connectionId, podId, isPinned }).then((result) => {
        setState((before) =>
          result.ok
            ? { ...before, known: before.known === null ? null : { ...before.known, isPinned } }
            : { ...before, failure: { failure: result.failure, atMs: Date.now() } },
        );
      });
    },
  };
}
