import { create } from 'zustand';
import { isBatchLive, type Batch } from '../../src-preload/batch.ts';
import { on } from '../bridge.ts';
import { useCall } from '../data/calls.ts';
import { useCurrentConnection } from '../data/session-store.ts';
import { withSamplesOf, type Sample } from './outcomes.ts';

const none: readonly Batch[] = [];

/** The batches of the current connection, newest first; none until they are read. */
export function useBatches(): readonly Batch[] {
  const connectionId = useCurrentConnection()?.id ?? null;
  const { data } = useCall('batch:list', connectionId === null ? null : { connectionId }, {
    isKeptByEvents: true,
    isFailureToast: true,
  });
  return data ?? none;
}

/** One of them; null where there is none of this id. */
export function useBatch(id: string | null | undefined): Batch | null {
  return useBatches().find((batch) => batch.id === id) ?? null;
}

/** How far the live batches were at each event about them, by batch id: what their rate is measured with. */
export const useSamples = create<Readonly<Record<string, readonly Sample[]>>>(() => ({}));

/** Starts measuring; called once. */
export function listenToBatches(): void {
  on('batch:changed', ({ batches }) =>
    useSamples.setState((samples) => withSamplesOf(samples, batches, Date.now()), true),
  );
}

const recentMs = 24 * 3_600_000;
const mostRecent = 4;

/** What the sidebar names: every batch that is not over, then the newest of the last day. */
export function namedBatches(batches: readonly Batch[], nowMs: number): Batch[] {
  const live = batches.filter(isBatchLive);
  const over = batches.filter((batch) => !isBatchLive(batch) && nowMs - batch.createdAtMs < recentMs);
  return [...live, ...over.slice(0, Math.max(0, mostRecent - live.length))];
}
