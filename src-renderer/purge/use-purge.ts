import { useCallback, useEffect, useState } from 'react';
import type { Failure } from '../../src-preload/failure.ts';
import type { Purge, PurgeLog, PurgePreview } from '../../src-preload/purge.ts';
import { call, on } from '../bridge.ts';
import { createThrottle } from '../data/throttle.ts';

export interface PurgeView {
  preview: PurgePreview | null;
  log: PurgeLog | null;
  /** Why the preview cannot be shown. */
  problem: Failure | null;
  isSending: boolean;
  /** What the last order from this card came to. */
  sent: Purge | null;
  /** Why the last order was not sent at all. */
  refusal: Failure | null;
  /** Reads the health anew. */
  refresh: () => void;
  send: (typed: string) => Promise<boolean>;
  clear: () => void;
}

/**
 * What a purge of the endpoint would take, kept up by what is told; the health itself is read when the card opens and
 * when asked.
 */
export function usePurge(connectionId: string, endpointId: string): PurgeView {
  const [preview, setPreview] = useState<PurgePreview | null>(null);
  const [log, setLog] = useState<PurgeLog | null>(null);
  const [problem, setProblem] = useState<Failure | null>(null);
  const [isSending, setSending] = useState(false);
  const [sent, setSent] = useState<Purge | null>(null);
  const [refusal, setRefusal] = useState<Failure | null>(null);

  const load = useCallback(
    async (isFresh: boolean): Promise<void> => {
      const [next, purges] = await Promise.all([
        call('purge:preview', { connectionId, endpointId, isFresh }),
        call('purge:log', { connectionId, endpointId }),
      ]);
      if (next.ok)
        setPreview((before) => ({ ...next.value, problem: isFresh ? next.value.problem : (before?.problem ?? null) }));
      setProblem(next.ok ? null : next.failure);
      if (purges.ok) setLog(purges.value);
    },
    [connectionId, endpointId],
  );

  useEffect(() => {
    setPreview(null);
    setLog(null);
    setSent(null);
    setRefusal(null);
    void load(true);
    const reloadSoon = createThrottle(1_000, () => void load(false));
    const ends = [
      on('job:changed', ({ jobs }) => {
        if (jobs.some((job) => job.connectionId === connectionId && job.endpointId === endpointId)) reloadSoon();
      }),
      on('health:changed', ({ health }) => {
        if (health.connectionId !== connectionId || health.endpointId !== endpointId) return;
        setPreview((before) =>
          before === null ? before : { ...before, health: { atMs: health.atMs, jobs: health.jobs }, problem: null },
        );
      }),
      on('purge:changed', (purge) => {
        if (purge.connectionId !== connectionId || purge.endpointId !== endpointId) return;
        setSent((before) => (before?.id === purge.id ? purge : before));
        reloadSoon();
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [connectionId, endpointId, load]);

  return {
    preview,
    log,
    problem,
    isSending,
    sent,
    refusal,
    refresh: () => void load(true),
    send: async (typed) => {
      setSending(true);
      setRefusal(null);
      setSent(null);
      const result = await call('purge:send', {
        connectionId,
        endpointId,
        typed,
        expected: preview?.health?.jobs.inQueue ?? null,
      });
      setSending(false);
      if (result.ok) setSent(result.value);
      else setRefusal(result.failure);
      // What waits now is another number in any case.
      void load(true);
      return result.ok && result.value.outcome.kind !== 'refused';
    },
    clear: () => {
      setSent(null);
      setRefusal(null);
    },
  };
}
