import { useState } from 'react';
import type { Failure } from '../../src-preload/failure.ts';
import type { Purge, PurgeLog, PurgePreview } from '../../src-preload/purge.ts';
import { call } from '../bridge.ts';
import { orReport } from '../call-or-report.ts';
import { changeAnswers, useCall } from '../data/calls.ts';
import { create } from 'zustand';
import { expectedCount } from './queue-shares.ts';

export interface PurgeView {
  preview: PurgePreview | null;
  log: PurgeLog | null;
  /** Why the preview or the log cannot be shown. */
  problem: Failure | null;
  /** The health is being read for the preview. */
  isReading: boolean;
  isSending: boolean;
  /** The result of the last purge from this card. */
  sent: Purge | null;
  /** Why the last purge was not sent. */
  refusal: Failure | null;
  /** Reads the health again, unless it is being read. */
  refresh: () => void;
  send: (typed: string) => Promise<boolean>;
  /** Takes away what a purge came to, for good. */
  dismiss: (purge: Purge) => void;
}

/**
 * What a purge of the endpoint would remove. Each endpoint has a card of its own. Events update it; the health is read
 * when the card opens and on request. Until that answer comes, the preview is of the last reading.
 */
export function usePurge(connectionId: string, endpointId: string): PurgeView {
  const of = { connectionId, endpointId };
  const fresh = useCall('purge:preview', { ...of, isFresh: true });
  const kept = useCall('purge:preview', { ...of, isFresh: false });
  const log = useCall('purge:log', of);
  const [isSending, setSending] = useState(false);
  const [sent, setSent] = useState<Purge | null>(null);
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const isKeptNewer =
    kept.data !== undefined && (fresh.data === undefined || kept.dataUpdatedAt >= fresh.dataUpdatedAt);
  const preview = isKeptNewer
    ? { ...kept.data, problem: isReadSince(kept.data, fresh.data) ? null : (fresh.data?.problem ?? kept.data.problem) }
    : (fresh.data ?? null);

  return {
    preview,
    log: log.data ?? null,
    problem: fresh.error ?? kept.error ?? log.error,
    isReading: fresh.isFetching,
    isSending,
    sent: log.data?.purges.find(({ id }) => id === sent?.id) ?? sent,
    refusal,
    refresh: () => void fresh.refetch({ cancelRefetch: false }),
    send: async (typed) => {
      setSending(true);
      setRefusal(null);
      setSent(null);
      const result = await call('purge:send', {
        ...of,
        typed,
        expected: preview === null ? null : expectedCount(preview),
      });
      setSending(false);
      if (result.ok) setSent(result.value);
      else setRefusal(result.failure);
      // The number of waiting jobs has changed in any case.
      void fresh.refetch();
      void log.refetch();
      return result.ok && result.value.outcome.kind !== 'refused';
    },
    dismiss: (purge) => {
      setSent(null);
      void dismissPurge(purge).then((isDismissed) => {
        if (!isDismissed && sent !== null) setSent((later) => later ?? sent);
      });
    },
  };
}

/** Only `fresh` sends a request, so only it says why the service did not answer, until the health was read after it. */
function isReadSince(kept: PurgePreview, fresh: PurgePreview | undefined): boolean {
  return (kept.health?.atMs ?? 0) > (fresh?.health?.atMs ?? 0);
}

/** Takes away what a purge came to. If that fails it is shown again, a toast says why, and the answer is false. */
export async function dismissPurge({ id, connectionId, endpointId }: Purge): Promise<boolean> {
  const show = (isDismissed: boolean): void =>
    changeAnswers('purge:log', { connectionId, endpointId }, (before) => ({
      ...before,
      purges: before.purges.map((purge) => (purge.id === id ? { ...purge, isDismissed } : purge)),
    }));
  show(true);
  const dismissed = orReport(await call('purge:dismiss', { id }));
  if (!dismissed.ok) show(false);
  return dismissed.ok;
}

/** The endpoint whose purge card is to be shown and focused next. Null if none is. */
export const usePurgeTarget = create<{ endpointId: string | null }>(() => ({ endpointId: null }));

/** Shows the purge card of an endpoint: the one on screen, or the one that is about to be drawn. */
export function showPurgeCard(endpointId: string): void {
  usePurgeTarget.setState({ endpointId });
}
