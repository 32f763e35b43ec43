import { useState } from 'react';
import type { Failure } from '../../src-preload/failure.ts';
import type { Purge, PurgeLog, PurgePreview } from '../../src-preload/purge.ts';
import { call } from '../bridge.ts';
import { callOrSay } from '../call-or-say.ts';
import { changeAnswers, useCall } from '../data/calls.ts';
import { create } from 'zustand';

export interface PurgeView {
  preview: PurgePreview | null;
  log: PurgeLog | null;
  /** Why the preview or the log cannot be shown. */
  problem: Failure | null;
  isSending: boolean;
  /** What the last order from this card came to. */
  sent: Purge | null;
  /** Why the last order was not sent at all. */
  refusal: Failure | null;
  /** Reads the health anew. */
  refresh: () => void;
  send: (typed: string) => Promise<boolean>;
  /** Takes away what a purge came to, for good. */
  dismiss: (purge: Purge) => void;
}

/**
 * What a purge of the endpoint would take; another endpoint is another card. Kept up by events; the health itself is
 * read when the card opens and when asked.
 */
export function usePurge(connectionId: string, endpointId: string): PurgeView {
  const of = { connectionId, endpointId };
  const fresh = useCall('purge:preview', { ...of, isFresh: true });
  const kept = useCall('purge:preview', fresh.data === undefined ? null : { ...of, isFresh: false });
  const log = useCall('purge:log', of);
  const [isSending, setSending] = useState(false);
  const [sent, setSent] = useState<Purge | null>(null);
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const isKeptNewer = kept.data !== undefined && kept.dataUpdatedAt >= fresh.dataUpdatedAt;
  // Only a fresh read asks the service, so only it knows why the service did not answer.
  const preview = isKeptNewer
    ? { ...kept.data, problem: fresh.data?.problem ?? kept.data.problem }
    : (fresh.data ?? null);

  return {
    preview,
    log: log.data ?? null,
    problem: fresh.error ?? kept.error ?? log.error,
    isSending,
    sent: log.data?.purges.find(({ id }) => id === sent?.id) ?? sent,
    refusal,
    refresh: () => void fresh.refetch(),
    send: async (typed) => {
      setSending(true);
      setRefusal(null);
      setSent(null);
      const result = await call('purge:send', {
        ...of,
        typed,
        expected: preview?.health?.jobs.inQueue ?? null,
      });
      setSending(false);
      if (result.ok) setSent(result.value);
      else setRefusal(result.failure);
      // What waits now is another number in any case.
      void fresh.refetch();
      void log.refetch();
      return result.ok && result.value.outcome.kind !== 'refused';
    },
    dismiss: ({ id }) => {
      setSent(null);
      changeAnswers('purge:log', of, (before) => ({
        ...before,
        purges: before.purges.map((purge) => (purge.id === id ? { ...purge, isDismissed: true } : purge)),
      }));
      callOrSay('purge:dismiss', { id });
    },
  };
}

/** The endpoint whose purge card is to be shown and focused next; null when none is. */
export const usePurgeTarget = create<{ endpointId: string | null }>(() => ({ endpointId: null }));

/** Asks for the card of an endpoint: the one on screen, or the one that will be. */
export function showPurgeCard(endpointId: string): void {
  usePurgeTarget.setState({ endpointId });
}
