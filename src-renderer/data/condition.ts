import type { Connection, ConnectionState } from '../../src-preload/connection.ts';
import type { SandboxState } from '../../src-preload/sandbox.ts';
import { useCurrentConnection, useSession } from './session-store.ts';

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

/** Since when nothing is known of a live job, because its connection is out of reach; null while it is tracked. */
export function unseenSince(condition: Condition | null, lastCheckedAtMs: number | null): number | null {
  if (condition === null || condition.kind === 'ready') return null;
  return condition.kind === 'no-key' || condition.kind === 'sandbox-stopped' ? lastCheckedAtMs : condition.sinceMs;
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
