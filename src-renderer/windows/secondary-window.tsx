import { useEffect, type ReactNode } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import type { CommandScope } from '../commands/scope.ts';
import { plainText } from '../../src-preload/plain-text.ts';
import { callOrReport } from '../call-or-report.ts';
import { onlineStatus, type OnlineStatus } from '../data/budget.ts';
import { useConnectionState } from '../data/connection-state.ts';
import { classes } from '../design/class-names.ts';
import { Kbd } from '../design/kbd.tsx';
import { isMac } from '../design/platform.ts';
import { commonText } from '../messages/common.ts';
import { secondaryWindowText, windowTitle } from '../messages/windows/secondary-windows.ts';
import { useShell } from '../navigation/shell-store.ts';
import { SandboxBadge } from './sandbox-badge.tsx';
import { WindowCommands } from './window-commands.tsx';
import { WindowControls } from './window-controls.tsx';
import bar from './title-bar.module.css';
import status from './status-bar.module.css';
import styles from './secondary-window.module.css';

export interface SecondaryWindowProps {
  /** The window's title for the system, without the app's name. */
  name: string;
  icon: ReactNode;
  title: string;
  /** Takes the place of the title while it is edited; otherwise false. */
  titleField?: ReactNode;
  /** False if the content has the heading. */
  isTitleHeading?: boolean;
  /** What the window is about, beside the title. */
  about?: string | null;
  /** Shows how the sandbox is set, with a link to its window unless this is that window. */
  sandbox?: 'none' | 'of-connection' | 'itself';
  /** Buttons on the right of the title bar. */
  actions?: ReactNode;
  /** The start of the status bar: whether the connection answers. */
  online: OnlineStatus;
  /** Further content of the status bar. */
  status?: ReactNode;
  /** What its palette and its keys act on. */
  scope: CommandScope;
  children: ReactNode;
}

/** The frame of every window except the main one: title bar, content, status bar. */
export function SecondaryWindow({
  name,
  icon,
  title,
  isTitleHeading = true,
  about = null,
  sandbox = 'none',
  actions,
  online,
  status: more,
  scope,
  titleField = false,
  children,
}: SecondaryWindowProps) {
  useEffect(() => {
    // The task bar shows it, where nothing keeps a name from changing the direction of the rest.
    document.title = windowTitle(plainText(name));
  }, [name]);
  const Title = isTitleHeading ? 'h1' : 'span';
  return (
    <div className={styles.window}>
      <header className={classes(bar['window-bar'], isMac && bar.mac)}>
        <div className={bar.subject}>
          {icon}
          {titleField !== false ? (
            titleField
          ) : (
            <Title className={classes(styles.title, 'trunc')} dir="auto">
              {title}
            </Title>
          )}
          {about !== null && <span className={styles.about}>{about}</span>}
          {sandbox === 'itself' && <SandboxBadge />}
          {sandbox === 'of-connection' && (
            <>
              <span className={bar.badge}>{commonText.sandbox}</span>
              <SandboxBadge onShow={() => callOrReport('window:openSandbox', undefined)} />
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
        <button
          type="button"
          className={styles.commands}
          aria-keyshortcuts="Control+K"
          onClick={() => useShell.getState().set({ isPaletteOpen: true })}
        >
          <Kbd keys={['Ctrl', 'K']} />
          {secondaryWindowText.commands}
        </button>
      </footer>
      <WindowCommands scope={scope} />
    </div>
  );
}

interface WindowContentProps {
  hasPanels?: boolean;
  /** What is wrong with the connection, above all panels. */
  banner?: ReactNode;
  children: ReactNode;
}

/** The content of a window, on one panel unless it has panels of its own. */
export function WindowContent({ hasPanels = false, banner = null, children }: WindowContentProps) {
  return (
    <main className={styles.content}>
      {banner}
      <div className={styles.frame}>{hasPanels ? children : <div className={styles.panel}>{children}</div>}</div>
    </main>
  );
}

/** Whether a window's connection answers. */
export function useOnline(connection: Connection | null, isPaused = false): OnlineStatus {
  return onlineStatus(useConnectionState(connection), isPaused);
}

/** The `sandbox` property for a window of this connection. */
export function sandboxOf(connection: Pick<Connection, 'isSandbox'> | null | undefined): 'none' | 'of-connection' {
  return connection?.isSandbox === true ? 'of-connection' : 'none';
}
