import { useCallback, useEffect, useRef, useState } from 'react';
import type { Failure } from '../../src-preload/failure.ts';
import { podIdProblem } from '../../src-preload/pod-look.ts';
import type { KnownPod } from '../../src-preload/pod-look.ts';
import { podIncludes } from '../../src-preload/pod.ts';
import type { PodInclude } from '../../src-preload/pod.ts';
import { call } from '../bridge.ts';

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
  /** Reads that ended, whatever came of them. */
  reads: number;
  read: () => void;
  setInclude: (flag: PodInclude, isOn: boolean) => void;
  setPinned: (isPinned: boolean) => void;
}

/** Opens a pod with what is known, then reads it once; `mayRead` false keeps it from asking the service. */
export function usePod(connectionId: string, podId: string, mayRead: boolean): PodInView {
  const [known, setKnown] = useState<KnownPod | null>(null);
  const [include, setIncludes] = useState<readonly PodInclude[]>(firstIncludes);
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<PodInView['failure']>(null);
  const [reads, setReads] = useState(0);
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
      setReads((count) => count + 1);
      if (result.ok) {
        setKnown(result.value);
        setFailure(null);
      } else setFailure({ failure: result.failure, atMs: Date.now() });
    },
    [connectionId, podId],
  );

  useEffect(() => {
    let isCurrent = true;
    setReading(false);
    if (podIdProblem(podId) !== null) return undefined;
    void call('pod:open', { connectionId, podId }).then((result) => {
      if (!isCurrent) return;
      const flags = result.ok && result.value.look !== null ? result.value.look.include : firstIncludes;
      setIncludes(flags);
      if (result.ok) setKnown(result.value);
      else setFailure({ failure: result.failure, atMs: Date.now() });
      if (mayRead) void readWith(flags);
    });
    return () => {
      isCurrent = false;
      latest.current += 1;
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
    known,
    include,
    isReading,
    failure,
    reads,
    read: () => void readWith(include),
    setInclude: (flag, isOn) => {
      const flags = podIncludes.filter((one) => (one === flag ? isOn : include.includes(one)));
      setIncludes(flags);
      if (settling.current !== null) clearTimeout(settling.current);
      settling.current = setTimeout(() => void readWith(flags), settleMs);
    },
    setPinned: (isPinned) => {
      void call('pod:pin', { connectionId, podId, isPinned }).then((result) => {
        if (result.ok) setKnown((before) => (before === null ? null : { ...before, isPinned }));
        else setFailure({ failure: result.failure, atMs: Date.now() });
      });
    },
  };
}
