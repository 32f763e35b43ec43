import { create } from 'zustand';
import { isBatchLive } from '../../src-preload/batch.ts';
import type { Batch } from '../../src-preload/batch.ts';
import { call, on } from '../bridge.ts';
import { useJobs } from '../data/jobs-store.ts';
import { currentConnection, useSession } from '../data/session-store.ts';

interface BatchesState {
  /** Of the current connection, newest first. */
  batches: readonly Batch[];
  /** Takes batches as they now stand. */
  apply: (batches: readonly Batch[]) => void;
  load: () => Promise<void>;
}

export const useBatches = create<BatchesState>((set, get) => ({
  batches: [],
  apply(changed) {
    const connectionId = currentConnection(useSession.getState())?.id;
    const byId = new Map(get().batches.map((batch) => [batch.id, batch]));
    const here = changed.filter((batch) => batch.connectionId === connectionId);
    const isNew = here.some(({ id }) => !byId.has(id));
    for (const batch of here) byId.set(batch.id, batch);
    set({ batches: [...byId.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1)) });
    // Its rows are in the history and were not told one by one.
    if (isNew) void useJobs.getState().reload();
  },
  async load() {
    const connectionId = currentConnection(useSession.getState())?.id ?? null;
    const listed = connectionId === null ? null : await call('batch:list', { connectionId });
    if (connectionId !== (currentConnection(useSession.getState())?.id ?? null)) return;
    set({ batches: listed?.ok === true ? listed.value : [] });
  },
}));

export function useBatch(id: string | null | undefined): Batch | null {
  return useBatches((state) =>
    id === null || id === undefined ? null : (state.batches.find((batch) => batch.id === id) ?? null),
  );
}

/** Starts listening; called once. */
export function listenToBatches(): void {
  on('batch:changed', ({ batches }) => useBatches.getState().apply(batches));
  let connectionId: string | null = null;
  useSession.subscribe((state) => {
    const now = currentConnection(state)?.id ?? null;
    if (now === connectionId) return;
    connectionId = now;
    useBatches.setState({ batches: [] });
    void useBatches.getState().load();
  });
}

const recentMs = 24 * 3_600_000;
const mostRecent = 4;

/** What the sidebar names: every batch that is not over, then the newest of the last day. */
export function namedBatches(batches: readonly Batch[], nowMs: number): Batch[] {
  const live = batches.filter(isBatchLive);
  const over = batches.filter((batch) => !isBatchLive(batch) && nowMs - batch.createdAtMs < recentMs);
  return [...live, ...over.slice(0, Math.max(0, mostRecent - live.length))];
}
