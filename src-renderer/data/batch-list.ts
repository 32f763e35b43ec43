import { replaceEqualDeep } from '@tanstack/react-query';
import { create } from 'zustand';
import { maxBackoffMs } from '../../src-preload/backoff.ts';
import type { Batch, BatchList } from '../../src-preload/batch.ts';
import { call } from '../bridge.ts';
import { toast } from '../design/toast.tsx';
import { useSession } from './session-store.ts';

/**
 * The batches that this window knows, by id, as of the counts of all jobs in the session. They are taken in the step in
 * which the list and those counts change, and not kept as an answer of a call, which is drawn a moment later.
 */
export interface BatchesState {
  byId: ReadonlyMap<string, Batch>;
  /** The connections whose batches were read. The events bring every change from then on. */
  readOf: ReadonlySet<string>;
}

export const useBatchList = create<BatchesState>(() => ({ byId: new Map(), readOf: new Set() }));

/** By id, the revision of the counts that came with a batch. Kept also for batches that are gone. */
const revisions = new Map<string, number>();
const reading = new Set<string>();
/** The connections whose last read failed: how often, and the timer of the next read. */
const failed = new Map<string, { times: number; timer: ReturnType<typeof setTimeout> }>();

/** Takes batches, except for those that are known from a later moment. A batch without rows is no longer listed. */
export function takeBatches({ batches, revision }: BatchList): void {
  const before = useBatchList.getState().byId;
  const byId = new Map(before);
  for (const batch of batches) {
    if (revision < (revisions.get(batch.id) ?? 0)) continue;
    revisions.set(batch.id, revision);
    if (batch.total === 0) byId.delete(batch.id);
    else byId.set(batch.id, replaceEqualDeep(before.get(batch.id), batch));
  }
  const isSame = byId.size === before.size && [...byId].every(([id, batch]) => before.get(id) === batch);
  if (!isSame) useBatchList.setState({ byId });
}

/**
 * Reads the batches of a connection, unless this window has read them. After a failure, which is shown as a toast, it
 * is tried again after growing pauses, as long as there is the connection.
 */
export async function readBatches(connectionId: string): Promise<void> {
  if (reading.has(connectionId) || useBatchList.getState().readOf.has(connectionId)) return;
  const times = (failed.get(connectionId)?.times ?? 0) + 1;
  clearTimeout(failed.get(connectionId)?.timer);
  failed.delete(connectionId);
  reading.add(connectionId);
  const read = await call('batch:list', { connectionId });
  reading.delete(connectionId);
  if (!read.ok) {
    if (times === 1) toast(read.failure.message);
    const timer = setTimeout(() => {
      if (useSession.getState().connections.some(({ id }) => id === connectionId)) void readBatches(connectionId);
      else failed.delete(connectionId);
    }, maxBackoffMs(times));
    failed.set(connectionId, { times, timer });
    return;
  }
  takeBatches(read.value);
  useBatchList.setState(({ readOf }) => ({ readOf: new Set([...readOf, connectionId]) }));
}

/** Whether one of these batches is new to a window that has read those of the connection. */
export function isAnyNew(batches: readonly Batch[], connectionId: string): boolean {
  const { byId, readOf } = useBatchList.getState();
  return (
    readOf.has(connectionId) &&
    batches.some((batch) => batch.connectionId === connectionId && batch.total > 0 && !byId.has(batch.id))
  );
}

/** The known batches of a connection, newest first. Empty until they are read. Pure. */
export function batchesOf({ byId }: Pick<BatchesState, 'byId'>, connectionId: string | null): Batch[] {
  return [...byId.values()]
    .filter((batch) => batch.connectionId === connectionId)
    .toSorted((a, b) => (a.id < b.id ? 1 : -1));
}
