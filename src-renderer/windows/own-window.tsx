import { useEffect, type ReactNode } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import { callOrSay } from '../call-or-say.ts';
import { onlineWord, type OnlineWord } from '../data/budget.ts';
import { useCondition } from '../data/condition.ts';
import { classes } from '../design/class-names.ts';
import { isMac } from '../design/platform.ts';
import { SandboxBadge } from './sandbox-badge.tsx';
import { WindowControls } from './window-controls.tsx';
import bar from './title-bar.module.css';
import status from './status-bar.module.css';
import styles from './own-window.module.css';

export interface OwnWindowProps {
  /** What the system calls the window, without the app's name. */
  name: string;
  icon: ReactNode;
  title: string;
  /** False where the content has the heading. */
  isTitleHeading?: boolean;
  /** What it is of, beside the title. */
  about?: string | null;
  /** Sandbox: how it is set is said, and leads to the sandbox's window unless this is it. */
  sandbox?: 'none' | 'of-connection' | 'itself';
  /** Buttons at the right of the title bar. */
  actions?: ReactNode;
  /** Where the status bar begins: whether what is shown answers. */
  online: OnlineWord;
  /** What else the status bar says. */
  status?: ReactNode;
  children: ReactNode;
}

/** The frame of a window beside the main one: title bar, content, status bar. */
export function OwnWindow({
  name,
  icon,
  title,
  isTitleHeading = true,
  about = null,
  sandbox = 'none',
  actions,
  online,
  status: more,
  children,
}: OwnWindowProps) {
  useEffect(() => {
    document.title = name === '' ? 'Jobdeck' : `${name} · Jobdeck`;
  }, [name]);
  const Title = isTitleHeading ? 'h1' : 'span';
  return (
    <div className={styles.window}>
      <header className={classes(bar['window-bar'], isMac && bar.mac)}>
        <div className={bar.subject}>
          {icon}
          <Title className={classes(styles.title, 'trunc')} dir="auto">
            {title}
          </Title>
          {about !== null && <span className={styles.about}>{about}</span>}
          {sandbox === 'itself' && <SandboxBadge />}
          {sandbox === 'of-connection' && (
            <>
              <span className={bar.badge}>Sandbox</span>
              <SandboxBadge onShow={() => callOrSay('window:openSandbox', undefined)} />
            </>
          )}
        </div>
        <div className={bar.actions}>
          {actions}
          <WindowControls />
        </div>
      </header>
      {children}
      <footer className={status.bar}>
        <span className={status.item} role="status">
          <span className={classes(status.dot, status[online.dot])} />
          <span className={online.isTrouble ? status.trouble : status.value}>{online.word}</span>
        </span>
        {more}
      </footer>
    </div>
  );
}

interface WindowContentProps {
  hasPanels?: boolean;
  /** What is wrong with the connection, over all panels. */
  banner?: ReactNode;
  children: ReactNode;
}

/** The content of a window: on one panel, unless it has panels of its own. */
export function WindowContent({ hasPanels = false, banner = null, children }: WindowContentProps) {
  return (
    <main className={styles.content}>
      {banner}
      <div className={styles.frame}>{hasPanels ? children : <div className={styles.panel}>{children}</div>}</div>
    </main>
  );
}

/** Whether a window's connection answers. */
export function useOnline(connection: Connection | null, isPaused = false): OnlineWord {
  return onlineWord(useCondition(connection), isPaused);
}

/** The sandbox part of the frame of a window of this connection. */
export function sandboxOf(connection: Pick<Connection, 'isSandbox'> | null | undefined): 'none' | 'of-connection' {
  return connection?.isSandbox === true ? 'of-connection' : 'none';
}
