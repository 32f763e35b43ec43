import { create } from 'zustand';
import { dayMs } from '../../src-preload/durations.ts';
import { isBatchLive, type Batch } from '../../src-preload/batch.ts';
import { on } from '../bridge.ts';
import { useCall } from '../data/calls.ts';
import { useCurrentConnection } from '../data/session-store.ts';
import { withSamplesOf, type Sample } from './outcomes.ts';
import { engineNow } from '../data/engine-time.ts';

const none: readonly Batch[] = [];

/** The batches of the current connection, newest first. Empty until they are read. */
export function useBatches(): readonly Batch[] {
  const connectionId = useCurrentConnection()?.id ?? null;
  const { data } = useCall('batch:list', connectionId === null ? null : { connectionId }, {
    isKeptByEvents: true,
    isFailureToast: true,
  });
  return data ?? none;
}

/** A batch by its id, or null. */
export function useBatch(id: string | null | undefined): Batch | null {
  return useBatches().find((batch) => batch.id === id) ?? null;
}

/** The progress of the active batches at each event, by batch id. Their rate is computed from it. */
export const useSamples = create<Readonly<Record<string, readonly Sample[]>>>(() => ({}));

/** Starts collecting samples. Called once. */
export function listenToBatches(): void {
  on('batch:changed', ({ batches }) =>
    useSamples.setState((samples) => withSamplesOf(samples, batches, engineNow()), true),
  );
}

const recentMs = dayMs;
const mostRecent = 4;

/** The batches in the sidebar: all that are not over, then the newest of the last day. */
export function namedBatches(batches: readonly Batch[], nowMs: number): Batch[] {
  const live = batches.filter(isBatchLive);
  const over = batches.filter((batch) => !isBatchLive(batch) && nowMs - batch.createdAtMs < recentMs);
  return [...live, ...over.slice(0, Math.max(0, mostRecent - live.length))];
}
