import { useCallback, useEffect, useRef, useState } from 'react';
import type { Failure, Result } from '../../src-preload/failure.ts';
import { podIdProblem, type KnownPod, type RememberedPod } from '../../src-preload/pod-reading.ts';
import { podIncludes, type PodInclude } from '../../src-preload/pod.ts';
import { call, on } from '../bridge.ts';
import { toast } from '../design/toast.tsx';
import { followAfter, restartFollowing, type Following } from './starting-schedule.ts';
import { engineNow } from '../data/engine-time.ts';

/** Requested unless the last reading had other flags. These two say most about the pod itself. */
const firstIncludes: readonly PodInclude[] = ['includeMachine', 'includeNetworkVolume', 'includeSavingsPlans'];
/** Several switches in quick succession make one request. */
const settleMs = 250;

/** A pod as its window shows it: the readings, and how the last read went. */
export interface PodInView {
  /** Null until the history has answered. */
  known: KnownPod | null;
  include: readonly PodInclude[];
  isReading: boolean;
  /** Why the last read failed, and when. Null if it did not. */
  failure: { failure: Failure; atMs: number } | null;
  /** The progress of reading a starting pod again. Null if it is not starting. */
  following: Following | null;
  /** Starts that again after it has stopped. */
  resumeFollowing: () => void;
  read: () => void;
  setInclude: (flag: PodInclude, isOn: boolean) => void;
  setPinned: (isPinned: boolean) => void;
}

/** The readings of the pod, how the last call went, and what follows from both. */
interface PodState {
  known: KnownPod | null;
  failure: PodInView['failure'];
  following: Following | null;
}

/** The state after an answer about the pod. */
function afterAnswer(before: PodState, result: Result<KnownPod>, nowMs: number): PodState {
  const known = result.ok ? result.value : before.known;
  const failure = result.ok ? null : { failure: result.failure, atMs: nowMs };
  return {
    known,
    failure,
    following: followAfter(before.following, known?.reading ?? null, failure?.failure ?? null, nowMs),
  };
}

/** What is known of a pod, with its pin as the list of pods now has it. Pure. */
export function pinnedAs(known: KnownPod | null, pods: readonly RememberedPod[]): KnownPod | null {
  const isPinned = pods.find(({ podId }) => podId === known?.podId)?.isPinned ?? false;
  return known === null || known.isPinned === isPinned ? known : { ...known, isPinned };
}

/** Shows a pod's saved readings, then reads it once. `mayRead` false: nothing is requested from the service. */
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
      // A later call was made in the meantime; its answer is the newer one.
      if (mine !== latest.current) return;
      setReading(false);
      setState((before) => afterAnswer(before, result, engineNow()));
    },
    [connectionId, podId],
  );

  // Another window may have pinned it, or removed it from the list.
  useEffect(
    () =>
      on('pod:changed', (changed) => {
        if (changed.connectionId !== connectionId) return;
        setState((before) => ({ ...before, known: pinnedAs(before.known, changed.pods) }));
      }),
    [connectionId],
  );

  useEffect(() => {
    let isCurrent = true;
    if (podIdProblem(podId) !== null) return undefined;
    void call('pod:open', { connectionId, podId }).then((result) => {
      if (!isCurrent) return;
      const flags = result.ok && result.value.reading !== null ? result.value.reading.include : firstIncludes;
      setIncludes(flags);
      setState((before) => afterAnswer(before, result, engineNow()));
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
    resumeFollowing: () => setState((before) => ({ ...before, following: restartFollowing(engineNow()) })),
    read: () => void readWith(include),
    setInclude: (flag, isOn) => {
      const flags = podIncludes.filter((one) => (one === flag ? isOn : include.includes(one)));
      setIncludes(flags);
      if (settling.current !== null) clearTimeout(settling.current);
      settling.current = setTimeout(() => void readWith(flags), settleMs);
    },
    setPinned: (isPinned) => {
      void call('pod:pin', { connectionId, podId, isPinned }).then((result) => {
        if (!result.ok) toast(result.failure.message);
        else setState((before) => ({ ...before, known: before.known === null ? null : { ...before.known, isPinned } }));
      });
    },
  };
}
