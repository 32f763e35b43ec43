import { FlaskConical } from 'lucide-react';
import { Suspense, lazy, useEffect } from 'react';
import { call } from '../bridge.ts';
import { classes } from '../design/class-names.ts';
import { isMac } from '../design/platform.ts';
import { SkeletonRows } from '../design/skeleton.tsx';
import { useSession } from '../session/session-store.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { SandboxBadge } from './sandbox-badge.tsx';
import { WindowControls } from './window-controls.tsx';
import bar from './title-bar.module.css';
import status from './status-bar.module.css';
import styles from './job-window.module.css';

const SandboxPane = lazy(async () => ({ default: (await import('../sandbox/sandbox-pane.tsx')).SandboxPane }));

const openJob = (key: string): void => void call('window:openJob', { key });

/** A window of its own for the sandbox. */
export function SandboxWindow() {
  const isRunning = useSession((state) => state.sandbox?.isRunning === true);
  useEffect(() => {
    document.title = 'Sandbox · Jobdeck';
  }, []);
  return (
    <div className={styles.window}>
      <header className={classes(bar['window-bar'], isMac && bar.mac)}>
        <div className={bar.subject}>
          <FlaskConical />
          <h1 className={styles.title}>Sandbox</h1>
          <SandboxBadge />
        </div>
        <div className={bar.actions}><WindowControls /></div>
      </header>
      <main className={classes(styles.frame)}>
        <div className={styles.panel}>
          <ErrorBoundary part="The sandbox">
            <Suspense fallback={<SkeletonRows count={12} height={28} />}><SandboxPane isOwnWindow onShowJob={openJob} /></Suspense>
          </ErrorBoundary>
        </div>
      </main>
      <footer className={status.bar}>
        <span className={status.item}><span className={classes(status.dot, status[isRunning ? 'on' : 'off'])} /><span className={isRunning ? status.value : status.trouble}>{isRunning ? 'Sandbox running' : 'Sandbox stopped'}</span></span>
      </footer>
    </div>
  );
}
