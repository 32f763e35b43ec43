import { AppWindow, Play, Square, Terminal } from 'lucide-react';
import type { SandboxState } from '../../src-preload/sandbox.ts';
import { callOrReport } from '../call-or-report.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { commonText } from '../messages/common.ts';
import { sandboxText } from '../messages/sandbox/pane.ts';
import { copyEnvironment } from './copy-environment.ts';
import { startSandbox, stopSandbox, useSandbox } from './sandbox-store.ts';
import styles from './pane-head.module.css';

/** Whether the sandbox runs and at which address, and the switch. */
export function PaneHead({ sandbox, isSecondaryWindow }: { sandbox: SandboxState; isSecondaryWindow: boolean }) {
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <h2 className={styles.title}>{sandboxText.title}</h2>
        <StatePill sandbox={sandbox} />
        <span className="grow" />
        {!isSecondaryWindow && (
          <IconButton
            label={commonText.openInOwnWindow}
            icon={<AppWindow />}
            onClick={() => callOrReport('window:openSandbox', undefined)}
          />
        )}
        <StartStop isRunning={sandbox.isRunning} />
      </div>
      <div className={styles.line}>
        {sandbox.baseUrl === null ? (
          <span className="small t3">{sandboxText.isLocal}</span>
        ) : (
          <>
            <span className={classes('mono', 'sel', 'trunc')} aria-label={sandboxText.baseUrl}>
              {sandbox.baseUrl}
            </span>
            <CopyButton label={sandboxText.copyBaseUrl} text={() => sandbox.baseUrl ?? ''} />
            <span className={styles.key}>
              {sandboxText.key} <span aria-label={sandboxText.hidden}>••••••••</span>
            </span>
            <Button size="sm" variant="ghost" icon={<Terminal />} onClick={() => void copyEnvironment()}>
              {sandboxText.copyEnvironment}
            </Button>
          </>
        )}
      </div>
    </header>
  );
}

function StatePill({ sandbox }: { sandbox: SandboxState }) {
  if (sandbox.isRunning)
    return (
      <span className={classes(styles.pill, styles.running)} role="status">
        <Play />
        {sandboxText.running}
      </span>
    );
  if (sandbox.problem !== null)
    return (
      <span className={classes(styles.pill, styles.problem)} role="status">
        <Square />
        {sandboxText.ended}
      </span>
    );
  return (
    <span className={styles.pill} role="status">
      <Square />
      {sandboxText.stopped}
    </span>
  );
}

function StartStop({ isRunning }: { isRunning: boolean }) {
  const isSwitching = useSandbox((state) => state.isSwitching);
  if (!isRunning)
    return (
      <Button
        icon={<Play />}
        disabledReason={isSwitching ? sandboxText.starting : undefined}
        onClick={() => void startSandbox()}
      >
        {sandboxText.start}
      </Button>
    );
  return (
    <Button
      icon={<Square />}
      disabledReason={isSwitching ? sandboxText.stopping : undefined}
      onClick={() => void stopSandbox()}
    >
      {sandboxText.stop}
    </Button>
  );
}
