import type { Connection, ConnectionState } from '../../src-preload/connection.ts';
import type { Job } from '../../src-preload/job.ts';
import type { SandboxState } from '../../src-preload/sandbox.ts';
import { useCurrentConnection, useSession } from './session-store.ts';
import { useByClock } from './use-now.ts';

/**
 * What stands between Jobdeck and a connection. A stopped sandbox comes before all else: it is Jobdeck's own to start.
 */
export type Condition = ConnectionState | { kind: 'sandbox-stopped' };

const sandboxStopped: Condition = { kind: 'sandbox-stopped' };

/** Null where there is no connection. The same object for the same state. */
export function conditionOf(
  connection: Pick<Connection, 'isSandbox' | 'state'> | null | undefined,
  sandbox: Pick<SandboxState, 'isRunning'> | null,
): Condition | null {
  if (connection == null) return null;
  return connection.isSandbox && sandbox?.isRunning === false ? sandboxStopped : connection.state;
}

/** What keeps this connection from working, for a component; null when nothing does. */
export function useCondition(connection: Connection | null | undefined): Condition | null {
  return useSession(({ sandbox }) => conditionOf(connection, sandbox));
}

/** What keeps the current connection from working, for a component; null when nothing does. */
export function useCurrentCondition(): Condition | null {
  return useCondition(useCurrentConnection());
}

/** What is on screen is at most so old while all goes well (decision 034): until then it is shown as it is. */
const promisedMs = 2_000;
/** While the service is asked: a read that changed nothing is heard of only with the next ones (decision 066). */
const askedMs = 5_000;

/** When the service last told of an active job. Null for any other, whose status nobody reads. Epoch ms. */
export function knownAtMs(
  job: Pick<Job, 'phase' | 'pendingStream' | 'lastCheckedAtMs' | 'acceptedAtMs' | 'createdAtMs'>,
): number | null {
  if (job.phase !== 'active' || job.pendingStream !== undefined) return null;
  return job.lastCheckedAtMs ?? job.acceptedAtMs ?? job.createdAtMs;
}

/** Whether the status of a job's service is read at all: its connection answers, and nobody paused. */
export interface Asking {
  condition: Condition | null;
  isPaused: boolean;
}

/**
 * The time up to which what is shown of a job is certain, where its last answer (`knownMs`) is too old: nobody asks its
 * service, or our share of the limit is too small for all rows. Null while what is shown is certain. Epoch ms.
 */
export function certainUntilMs(knownMs: number | null, { condition, isPaused }: Asking, nowMs: number): number | null {
  if (knownMs === null) return null;
  const isAsked = !isPaused && condition?.kind === 'ready';
  return nowMs - knownMs > (isAsked ? askedMs : promisedMs) ? knownMs : null;
}

/** `certainUntilMs` of what was last known at `knownMs` of jobs of a connection; drawn anew only as it changes. */
export function useCertainUntil(knownMs: number | null, connectionId: string | null): number | null {
  const connection = useSession(({ connections }) => connections.find(({ id }) => id === connectionId));
  const condition = useCondition(connection);
  const isPaused = useSession(({ tracker }) => tracker?.isPaused === true);
  return useByClock(1_000, (nowMs) => certainUntilMs(knownMs, { condition, isPaused }, nowMs));
}

/** When requests go out again that cannot go out now; null where nothing stands in their way. */
export function whenAskedAgain(condition: Condition | null, isPaused: boolean): string | null {
  if (isPaused) return 'when polling resumes';
  switch (condition?.kind) {
    case 'offline':
      return 'when the service is reachable';
    case 'no-key':
      return 'when the connection has a key';
    case 'key-refused':
      return 'when the service accepts the key again';
    case 'sandbox-stopped':
      return 'when the sandbox runs';
    case undefined:
      return 'when its connection is back';
    case 'ready':
      return null;
  }
}
