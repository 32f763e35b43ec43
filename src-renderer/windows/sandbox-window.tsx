import { FlaskConical } from 'lucide-react';
import { useEffect } from 'react';
import { callOrSay } from '../call-or-say.ts';
import { classes } from '../design/class-names.ts';
import { isMac } from '../design/platform.ts';
import { SandboxPane } from '../sandbox/sandbox-pane.tsx';
import { useSession } from '../data/session-store.ts';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { SandboxBadge } from './sandbox-badge.tsx';
import { WindowControls } from './window-controls.tsx';
import bar from './title-bar.module.css';
import status from './status-bar.module.css';
import styles from './job-window.module.css';

const openJob = (key: string): void => callOrSay('window:openJob', { key });

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
        <div className={bar.actions}>
          <WindowControls />
        </div>
      </header>
      <main className={styles.frame}>
        <div className={styles.panel}>
          <ErrorBoundary part="The sandbox">
            <SandboxPane isOwnWindow onShowJob={openJob} />
          </ErrorBoundary>
        </div>
      </main>
      <footer className={status.bar}>
        <span className={status.item}>
          <span className={classes(status.dot, status[isRunning ? 'on' : 'off'])} />
          <span className={isRunning ? status.value : status.trouble}>
            {isRunning ? 'Sandbox running' : 'Sandbox stopped'}
          </span>
        </span>
      </footer>
    </div>
  );
}
