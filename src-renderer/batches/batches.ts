import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import { dayMs } from '../../src-preload/durations.ts';
import { isBatchLive, type Batch } from '../../src-preload/batch.ts';
import { on } from '../bridge.ts';
import { batchesOf, readBatches, useBatchList } from '../data/batch-list.ts';
import { usePendingDeletions, withoutRows } from '../data/pending-deletions.ts';
import { currentConnection, useCurrentConnection, useSession } from '../data/session-store.ts';
import { withSamplesOf, type Sample } from './outcome-bar.tsx';
import { engineNow } from '../data/engine-time.ts';

/** The current connection’s batches, newest first, without rows that are being deleted. Empty until they are read. */
export function useBatches(): readonly Batch[] {
  const connectionId = useCurrentConnection()?.id ?? null;
  const byId = useBatchList((state) => state.byId);
  const pending = usePendingDeletions();
  useEffect(() => {
    if (connectionId !== null) void readBatches(connectionId);
  }, [connectionId]);
  return useMemo(() => withoutRows(batchesOf({ byId }, connectionId), pending), [byId, connectionId, pending]);
}

/** As `useBatches` for now, outside of components. Reads nothing. */
export function knownBatches(): readonly Batch[] {
  const connection = currentConnection(useSession.getState());
  return withoutRows(batchesOf(useBatchList.getState(), connection?.id ?? null), usePendingDeletions.getState());
}

/** A batch by its id, or null. */
export function useBatch(id: string | null | undefined): Batch | null {
  return useBatches().find((batch) => batch.id === id) ?? null;
}

/** The progress of the active batches at each event, by batch id. Their rate is computed from it. */
export const useSamples = create<Readonly<Record<string, readonly Sample[]>>>(() => ({}));

/** Starts collecting samples. Called once. */
export function listenToBatches(): void {
  on('job:changed', ({ batches }) => {
    if (batches.length > 0) useSamples.setState((samples) => withSamplesOf(samples, batches, engineNow()), true);
  });
}

const recentMs = dayMs;
const maxRecent = 4;

/** The batches in the sidebar: all that are not over, then the newest of the last day. */
export function namedBatches(batches: readonly Batch[], nowMs: number): Batch[] {
  const live = batches.filter(isBatchLive);
  const over = batches.filter((batch) => !isBatchLive(batch) && nowMs - batch.createdAtMs < recentMs);
  return [...live, ...over.slice(0, Math.max(0, maxRecent - live.length))];
}
