import { useSyncExternalStore } from 'react';
import type { Connection, ConnectionState } from '../../src-preload/connection.ts';
import type { Job } from '../../src-preload/job.ts';
import type { SandboxState } from '../../src-preload/sandbox.ts';
import { whenAskedAgainText } from '../messages/data/connection-state.ts';
import { useCurrentConnection, useSession } from './session-store.ts';
import { tickerOf } from './use-now.ts';

/** What keeps Jobdeck from reaching a connection. A stopped sandbox comes first, because the user can start it here. */
export type Condition = ConnectionState | { kind: 'sandbox-stopped' };

const sandboxStopped: Condition = { kind: 'sandbox-stopped' };

/** Null without a connection. Returns the same object for the same state. */
export function conditionOf(
  connection: Pick<Connection, 'isSandbox' | 'state'> | null | undefined,
  sandbox: Pick<SandboxState, 'isRunning'> | null,
): Condition | null {
  if (connection == null) return null;
  return connection.isSandbox && sandbox?.isRunning === false ? sandboxStopped : connection.state;
}

/** What keeps this connection from working, for a component. Null if nothing does. */
export function useCondition(connection: Connection | null | undefined): Condition | null {
  return useSession(({ sandbox }) => conditionOf(connection, sandbox));
}

/** What keeps the current connection from working, for a component. Null if nothing does. */
export function useCurrentCondition(): Condition | null {
  return useCondition(useCurrentConnection());
}

/** What is on screen is at most so old while all goes well (decision 034): until then it is shown as it is. */
const promisedMs = 2_000;
/** While the service is asked: a read that changed nothing is heard of only with the next ones (decision 066). */
const askedMs = 5_000;

/**
 * When the service last reported on an active job, in epoch milliseconds. Null for any other job, because its status is
 * not read.
 */
export function knownAtMs(
  job: Pick<Job, 'phase' | 'pendingStream' | 'lastCheckedAtMs' | 'acceptedAtMs' | 'createdAtMs'>,
): number | null {
  if (job.phase !== 'active' || job.pendingStream !== undefined) return null;
  return job.lastCheckedAtMs ?? job.acceptedAtMs ?? job.createdAtMs;
}

/** Whether the status of jobs is read at all: the connection answers and tracking is not paused. */
export interface Asking {
  condition: Condition | null;
  isPaused: boolean;
}

/**
 * Until when the shown state of a job is certain, if its last answer (`knownMs`) is too old: its status is not read, or
 * our share of the limit is too small for all rows. Null while the state is certain. Epoch milliseconds.
 */
export function certainUntilMs(knownMs: number | null, { condition, isPaused }: Asking, nowMs: number): number | null {
  if (knownMs === null) return null;
  const isAsked = !isPaused && condition?.kind === 'ready';
  return nowMs - knownMs > (isAsked ? askedMs : promisedMs) ? knownMs : null;
}

/**
 * `certainUntilMs` for a component, of what was known at `knownMs` of jobs of a connection. It is drawn again only when
 * the value changes.
 */
export function useCertainUntil(knownMs: number | null, connectionId: string | null): number | null {
  return useSyncExternalStore(knownMs === null ? neverChanges : onCertainty, () => {
    if (knownMs === null) return null;
    const { connections, sandbox, tracker } = useSession.getState();
    const connection = connections.find(({ id }) => id === connectionId);
    const asking = { condition: conditionOf(connection, sandbox), isPaused: tracker?.isPaused === true };
    return certainUntilMs(knownMs, asking, clock.read());
  });
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

/** When requests that are held back now are sent again. Null if none are held back. */
export function whenAskedAgain(condition: Condition | null, isPaused: boolean): string | null {
  if (isPaused) return whenAskedAgainText.paused;
  if (condition === null) return whenAskedAgainText.removed;
  return condition.kind === 'ready' ? null : whenAskedAgainText[condition.kind];
}
