import { HeartPulse } from 'lucide-react';
import { useEffect, useState } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { classes } from '../design/class-names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { isMac } from '../design/platform.ts';
import { HealthView } from '../health/health-view.tsx';
import { useCondition } from '../data/condition.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { onlineWord } from '../data/budget.ts';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { SandboxBadge } from './sandbox-badge.tsx';
import { WindowControls } from './window-controls.tsx';
import bar from './title-bar.module.css';
import status from './status-bar.module.css';
import styles from './job-window.module.css';

const openJob = (key: string): void => void call('window:openJob', { key });

/**
 * A window of its own for an endpoint's health, or with null for that of all endpoints; what it shows can be changed in
 * it.
 */
export function HealthWindow({ connectionId, endpointId: first }: { connectionId: string; endpointId: string | null }) {
  const [endpointId, setEndpointId] = useState(first);
  const connection = useSession((state) => state.connections.find((one) => one.id === connectionId) ?? null);
  const isPaused = useSession((state) => state.tracker?.isPaused ?? false);
  const online = onlineWord(useCondition(connection), isPaused);
  const name =
    endpointId === null
      ? 'All endpoints'
      : endpointName(findEndpoint(connection === null ? [] : [connection], connectionId, endpointId));
  useEffect(() => {
    document.title = `Health of ${name} · Jobdeck`;
  }, [name]);
  return (
    <div className={styles.window}>
      <header className={classes(bar['window-bar'], isMac && bar.mac)}>
        <div className={bar.subject}>
          <HeartPulse />
          <h1 className={styles.title}>Health</h1>
          {connection !== null && <span className={styles.about}>{connection.name}</span>}
          {connection?.isSandbox === true && (
            <>
              <span className={bar.badge}>Sandbox</span>
              <SandboxBadge onShow={() => void call('window:openSandbox', undefined)} />
            </>
          )}
        </div>
        <div className={bar.actions}>
          <WindowControls />
        </div>
      </header>
      <main className={styles.frame}>
        <div className={styles.panel}>
          <ErrorBoundary part="The health of these endpoints">
            {connection === null ? (
              <EmptyState
                title="This connection was removed"
                text="Its endpoints are not read any more. Close this window, or add the connection again."
              />
            ) : (
              <HealthView
                connection={connection}
                endpointId={endpointId}
                isOwnWindow
                onEndpoint={setEndpointId}
                onShowJob={openJob}
              />
            )}
          </ErrorBoundary>
        </div>
      </main>
      <footer className={status.bar}>
        <span className={status.item} role="status">
          <span className={classes(status.dot, status[online.dot])} />
          <span className={online.isTrouble ? status.trouble : status.value}>{online.word}</span>
        </span>
      </footer>
    </div>
  );
}
