import { AppWindow, Play, Square, Terminal } from 'lucide-react';
import type { SandboxState } from '../../src-preload/sandbox.ts';
import { call } from '../bridge.ts';
import { callOrReport, orReport } from '../call-or-report.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { toast } from '../design/toast.tsx';
import { startSandbox, stopSandbox, useSandbox } from './sandbox-store.ts';
import styles from './pane-head.module.css';

/** Whether the sandbox runs and at which address, and the switch. */
export function PaneHead({ sandbox, isOwnWindow }: { sandbox: SandboxState; isOwnWindow: boolean }) {
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <h2 className={styles.title}>Built-in sandbox</h2>
        <StatePill sandbox={sandbox} />
        <span className="grow" />
        {!isOwnWindow && (
          <IconButton
            label="Open in its own window"
            icon={<AppWindow />}
            onClick={() => callOrReport('window:openSandbox', undefined)}
          />
        )}
        <StartStop isRunning={sandbox.isRunning} />
      </div>
      <div className={styles.line}>
        {sandbox.baseUrl === null ? (
          <span className="small t3">Local only; new key on each start.</span>
        ) : (
          <>
            <span className={classes('mono', 'sel', 'trunc')} aria-label="Base URL">
              {sandbox.baseUrl}
            </span>
            <CopyButton label="Copy base URL" text={() => sandbox.baseUrl ?? ''} />
            <span className={styles.key}>
              Key <span aria-label="hidden">••••••••</span>
            </span>
            <Button size="sm" variant="ghost" icon={<Terminal />} onClick={() => void copy()}>
              Copy as environment variables
            </Button>
          </>
        )}
      </div>
    </header>
  );
}

/** The engine copies the key to the clipboard. This window never has it. */
async function copy(): Promise<void> {
  const result = orReport(await call('app:copySandboxEnvironment', undefined));
  if (result.ok) toast('Address and key copied; valid until the sandbox stops');
}

function StatePill({ sandbox }: { sandbox: SandboxState }) {
  if (sandbox.isRunning)
    return (
      <span className={classes(styles.pill, styles.running)} role="status">
        <Play />
        Running
      </span>
    );
  if (sandbox.problem !== null)
    return (
      <span className={classes(styles.pill, styles.problem)} role="status">
        <Square />
        Ended
      </span>
    );
  return (
    <span className={styles.pill} role="status">
      <Square />
      Stopped
    </span>
  );
}

function StartStop({ isRunning }: { isRunning: boolean }) {
  const isSwitching = useSandbox((state) => state.isSwitching);
  if (!isRunning)
    return (
      <Button
        icon={<Play />}
        disabledReason={isSwitching ? 'Starting…' : undefined}
        onClick={() => void startSandbox()}
      >
        Start the sandbox
      </Button>
    );
  return (
    <Button icon={<Square />} disabledReason={isSwitching ? 'Stopping…' : undefined} onClick={() => void stopSandbox()}>
      Stop the sandbox
    </Button>
  );
}
