import { useSyncExternalStore } from 'react';
import { lastKnownAtMs, type Job } from '../../src-preload/job.ts';
import { shownConnectionState, type ShownConnectionState } from './connection-state.ts';
import { useSession } from './session-store.ts';
import { tickerOf } from './use-now.ts';

/** While statuses are read: a read that changed nothing is reported only with the next change (decision 066). */
const readMs = 5_000;

/**
 * When the service last reported on an active job, in epoch milliseconds. Null for any other job, because its status is
 * not read.
 */
export function knownAtMs(
  job: Pick<Job, 'phase' | 'pendingStream' | 'statusReadAtMs' | 'acceptedAtMs' | 'createdAtMs'>,
): number | null {
  if (job.phase !== 'active' || job.pendingStream !== undefined) return null;
  return lastKnownAtMs(job);
}

/** Whether the status of jobs is read at all: the connection answers and tracking is not paused. */
export interface StatusReading {
  connectionState: ShownConnectionState | null;
  isPaused: boolean;
}

/**
 * Until when the shown state of a job is certain, if its status is not read, or if its last answer (`knownMs`) is too
 * old because our share of the limit is too small for all rows. Null while the state is certain. Epoch milliseconds.
 */
export function certainUntilMs(
  knownMs: number | null,
  { connectionState, isPaused }: StatusReading,
  nowMs: number,
): number | null {
  if (knownMs === null) return null;
  const isRead = !isPaused && connectionState?.kind === 'ready';
  // Rows change in the frame in which the banner and the sidebar do.
  return !isRead || nowMs - knownMs > readMs ? knownMs : null;
}

/**
 * `certainUntilMs` for a component, of what was known at `knownMs` of jobs of a connection. It is drawn again only when
 * the value changes.
 */
export function useCertainUntil(knownMs: number | null, connectionId: string | null): number | null {
  const read = (): number | null => {
    if (knownMs === null) return null;
    const { connections, sandbox, tracker } = useSession.getState();
    const connection = connections.find(({ id }) => id === connectionId);
    const reading = {
      connectionState: shownConnectionState(connection, sandbox),
      isPaused: tracker?.isPaused === true,
    };
    return certainUntilMs(knownMs, reading, clock.read());
  };
  return useSyncExternalStore(knownMs === null ? neverChanges : onCertainty, read, read);
}

const clock = tickerOf(1_000);

function onCertainty(listener: () => void): () => void {
  const ends = [useSession.subscribe(listener), clock.subscribe(listener)];
  return () => {
    for (const end of ends) end();
  };
}

function neverChanges(): () => void {
  return () => {};
}
