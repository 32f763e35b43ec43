import type { Connection, ConnectionState } from '../../src-preload/connection.ts';
import type { SandboxState } from '../../src-preload/sandbox.ts';
import { whenSentAgainText } from '../messages/data/connection-state.ts';
import { useCurrentConnection, useSession } from './session-store.ts';

/** What keeps Jobdeck from reaching a connection. A stopped sandbox comes first, because the user can start it here. */
export type ShownConnectionState = ConnectionState | { kind: 'sandbox-stopped' };

const sandboxStopped: ShownConnectionState = { kind: 'sandbox-stopped' };

/** Null without a connection. Returns the same object for the same state. */
export function shownConnectionState(
  connection: Pick<Connection, 'isSandbox' | 'state'> | null | undefined,
  sandbox: Pick<SandboxState, 'isRunning'> | null,
): ShownConnectionState | null {
  if (connection == null) return null;
  return connection.isSandbox && sandbox?.isRunning === false ? sandboxStopped : connection.state;
}

/** What keeps this connection from working, for a component. Null if nothing does. */
export function useConnectionState(connection: Connection | null | undefined): ShownConnectionState | null {
  return useSession(({ sandbox }) => shownConnectionState(connection, sandbox));
}

/** What keeps the current connection from working, for a component. Null if nothing does. */
export function useCurrentConnectionState(): ShownConnectionState | null {
  return useConnectionState(useCurrentConnection());
}

/**
 * When the service of the current connection last answered a request that it accepted, for a component. Null before the
 * first such answer since the start.
 */
export function useLastSyncMs(): number | null {
  const connectionId = useCurrentConnection()?.id ?? null;
  return useSession(
    ({ tracker }) => tracker?.connections.find((one) => one.connectionId === connectionId)?.lastSyncAtMs ?? null,
  );
}

/** When requests that are held back now are sent again. Null if none are held back. */
export function whenSentAgain(connectionState: ShownConnectionState | null, isPaused: boolean): string | null {
  if (isPaused) return whenSentAgainText.paused;
  if (connectionState === null) return whenSentAgainText.removed;
  return connectionState.kind === 'ready' ? null : whenSentAgainText[connectionState.kind];
}

/** As `whenSentAgain`, for a component. */
export function useWhenSentAgain(connectionState: ShownConnectionState | null): string | null {
  return whenSentAgain(
    connectionState,
    useSession(({ tracker }) => tracker?.isPaused === true),
  );
}
