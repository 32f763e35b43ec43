import { useEffect, type ReactNode, Suspense, useEffectEvent, useLayoutEffect } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import type { CommandScope } from '../commands/scope.ts';
import { plainText } from '../../src-preload/plain-text.ts';
import { callOrReport } from '../call-or-report.ts';
import { onlineStatus, type OnlineStatus } from '../data/budget.ts';
import { useConnectionState } from '../data/connection-state.ts';
import { classes } from '../design/class-names.ts';
import { Kbd } from '../design/keyboard/kbd.tsx';
import { isMac } from '../design/keyboard/platform.ts';
import { commonText } from '../messages/common.ts';
import { secondaryWindowText, windowTitle } from '../messages/windows/secondary-windows.ts';
import { useShell } from '../navigation/shell-store.ts';
import { SandboxBadge } from './sandbox-badge.tsx';
import { WindowControls } from './window-controls.tsx';
import { listenToKeys, markOfKey, type PressedKey, runByKeys } from '../commands/keyboard.ts';
import { useOnce, lazyPart } from '../design/lazy-part.ts';
import { LinkQuestionDialog } from '../navigation/open-link-dialog.tsx';
import { useFollowDialog } from '../navigation/open-requests.ts';
import { markJobs } from '../data/own-changes.ts';
import { runCommands } from '../commands/run-commands.tsx';
import { engineNow } from '../data/engine-time.ts';
import bar from './title-bar.module.css';
import status from './status-bar.module.css';
import styles from './secondary-window.module.css';

/** The keys of a window that has no list: those of the commands for what it shows, and of Jobdeck itself. */
export function handleSecondaryWindowKey(scope: CommandScope, chord: string, event: PressedKey): boolean {
  const job = scope.openJob();
  const mark = markOfKey(event);
  if (mark !== null && job !== null) {
    void markJobs([job], mark);
    return true;
  }
  const shown = scope.sections(job, engineNow()).flatMap(({ commands }) => commands);
  return runByKeys([...shown, ...runCommands(scope.connection())], chord === 'Delete' ? 'Del' : chord);
}

const Palette = lazyPart(async () => (await import('../commands/palette.tsx')).Palette);
const Shortcuts = lazyPart(async () => (await import('../commands/shortcuts.tsx')).Shortcuts);
const FollowDialog = lazyPart(async () => (await import('../follow/follow-dialog.tsx')).FollowDialog);

/** The keys of a window of its own, and what commands and links open over it. Large parts are loaded when needed. */
function WindowCommands({ scope }: { scope: CommandScope }) {
  const wantsPalette = useOnce(useShell((state) => state.isPaletteOpen));
  const wantsShortcuts = useOnce(useShell((state) => state.areShortcutsOpen));
  const wantsFollow = useOnce(useFollowDialog((state) => state.isOpen));
  const onKey = useEffectEvent((chord: string, event: KeyboardEvent) => handleSecondaryWindowKey(scope, chord, event));
  // Before the paint: a key that is pressed as soon as the window is seen means something.
  useLayoutEffect(() => listenToKeys((chord, event) => onKey(chord, event)), []);
  return (
    <>
      <LinkQuestionDialog />
      <Suspense fallback={null}>
        {wantsPalette && <Palette scope={scope} />}
        {wantsShortcuts && <Shortcuts />}
        {wantsFollow && <FollowDialog />}
      </Suspense>
    </>
  );
}

interface SecondaryWindowProps {
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
