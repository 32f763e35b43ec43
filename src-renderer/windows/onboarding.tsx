import { CircleX, FolderInput, HardDrive, Hourglass, Keyboard, MessageSquareText } from 'lucide-react';
import { useEffectEvent, useLayoutEffect, useState, type ReactElement } from 'react';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { usePlainKeys } from '../design/keyboard/use-keys.ts';
import { Logo } from '../design/logo.tsx';
import { useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';
import { Shortcuts } from '../commands/shortcuts.tsx';
import { connectionFormText } from '../messages/settings/connection.tsx';
import { connectText, onboardingText, trySandboxText, previewText } from '../messages/windows/onboarding.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import { useShell } from '../navigation/shell-store.ts';
import { openBackup } from '../settings/backup-store.ts';
import { connectionForms, useConnectionForm } from '../settings/connection-edits.ts';
import { ConnectionForm } from '../settings/connection-form.tsx';
import { blankConnection, type ConnectionFields } from '../settings/connection-form-state.ts';
import { useConnectionSave } from '../settings/use-connection-save.ts';
import { Notices } from './banners.tsx';
import { WindowControls } from './window-controls.tsx';
import type { StatusKind } from '../../src-preload/job.ts';
import { ExecutionBar } from '../design/execution-bar.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import bar from './title-bar.module.css';
import styles from './onboarding.module.css';

const rows: { title: string; kind: StatusKind; fraction: number; took: string }[] = [
  { title: previewText.summary, kind: 'run', fraction: 0.38, took: '6.1 s' },
  { title: previewText.harbour, kind: 'run', fraction: 0.62, took: '3.4 s' },
  { title: previewText.podcast, kind: 'queue', fraction: 1, took: previewText.waiting },
  { title: previewText.invoices, kind: 'done', fraction: 0.7, took: '11.8 s' },
  { title: previewText.handbook, kind: 'fail', fraction: 0.09, took: '0.9 s' },
  { title: previewText.translation, kind: 'timeout', fraction: 1, took: '1:00' },
  { title: previewText.poster, kind: 'done', fraction: 0.31, took: '4.2 s' },
];

/** A picture of the list for the first screen. It is decoration, so it is hidden from assistive technology. */
function SandboxPreview(): ReactElement {
  return (
    <div className={styles.stage} aria-hidden>
      <div className={styles.list}>
        {rows.map((row) => (
          <div key={row.title} className={styles.row}>
            <StatusGlyph kind={row.kind} />
            <span className={styles.title}>{row.title}</span>
            <span className={styles.bar}>
              <ExecutionBar kind={row.kind} fraction={row.fraction} />
            </span>
            <span className={styles.took}>{row.took}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** The first run: a button that starts the built-in sandbox, or a form for a connection to a service. */
export function Onboarding(): ReactElement {
  usePlainKeys(({ key }) => {
    if (key === '?') openShortcuts();
    return key === '?';
  });
  return (
    <div className={styles.window}>
      <header className={bar['window-bar']}>
        <span />
        <WindowControls />
      </header>
      <main className={styles.page}>
        <div className={styles.notices}>
          <Notices />
        </div>
        <div className={styles.hero}>
          <Logo size={38} />
          <h1>{onboardingText.title}</h1>
          <p>{onboardingText.hint}</p>
        </div>
        <div className={styles.two}>
          <TrySandbox />
          <Connect />
        </div>
        <div className={styles.foot}>
          <span>
            <HardDrive size={14} strokeWidth={1.75} aria-hidden /> {onboardingText.historyStaysHere}
          </span>
          <button type="button" onClick={restoreFirst}>
            <FolderInput size={14} strokeWidth={1.75} aria-hidden /> <span>{onboardingText.restoreBackup}</span>
          </button>
          <button type="button" onClick={openShortcuts}>
            <Keyboard size={14} strokeWidth={1.75} aria-hidden /> <span>{onboardingText.shortcuts}</span>
          </button>
        </div>
      </main>
      <Shortcuts />
    </div>
  );
}

function openShortcuts(): void {
  useShell.getState().set({ areShortcutsOpen: true });
}

/** A backup brings its connections along, so that it may come before any other step; keys are entered again. */
function restoreFirst(): void {
  useSettingsDialog.getState().open('storage');
  void openBackup();
}

function TrySandbox(): ReactElement {
  const [isOpening, setOpening] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const open = async (): Promise<void> => {
    setOpening(true);
    const opened = await call('connection:openSandbox', undefined);
    if (opened.ok) {
      await chooseSettings({ currentConnectionId: opened.value.id });
      await useSession.getState().load();
      window.location.hash = '/';
      return;
    }
    setOpening(false);
    setProblem(opened.failure.message);
  };
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key === 'Enter' && document.activeElement === document.body) void open();
  });
  useLayoutEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <section className={styles.card} aria-labelledby="try-sandbox">
      <SandboxPreview />
      <div className={styles.inside}>
        <h2 id="try-sandbox">{trySandboxText.title}</h2>
        <p className={styles.lead}>{trySandboxText.hint}</p>
        <ul className={styles.points}>
          <li>
            <MessageSquareText size={16} strokeWidth={1.75} aria-hidden /> {trySandboxText.endpoints}
          </li>
          <li>
            <Hourglass size={16} strokeWidth={1.75} aria-hidden /> {trySandboxText.states}
          </li>
          <li>
            <CircleX size={16} strokeWidth={1.75} aria-hidden /> {trySandboxText.failures}
          </li>
        </ul>
        {problem === null ? null : (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        <div className={styles.go}>
          <Button
            variant="primary"
            size="xl"
            keys={['↵']}
            disabledReason={isOpening ? trySandboxText.isStarting : undefined}
            onClick={() => void open()}
          >
            {trySandboxText.open}
          </Button>
        </div>
      </div>
    </section>
  );
}

/** The name of the first connection's form among the unsaved ones. */
const firstForm = 'first';

function Connect(): ReactElement {
  const { fields, change: put } = useConnectionForm(firstForm, blankConnection);
  const { problems, changed, isSaving, save } = useConnectionSave();
  const general = problems.find(({ field }) => field === null);
  const change = (next: ConnectionFields): void => {
    put(next);
    changed(next);
  };
  const connect = async (): Promise<void> => {
    if ((await save(fields)) === null) return;
    // The window of the connection takes the place of the form. Until then the form stays filled in.
    await useSession.getState().load();
    connectionForms.end(firstForm);
    window.location.hash = '/';
  };
  return (
    <section className={styles.card} aria-labelledby="connect-service">
      <form
        className={styles.inside}
        onSubmit={(event) => {
          event.preventDefault();
          void connect();
        }}
      >
        <h2 id="connect-service">{connectText.title}</h2>
        <ConnectionForm fields={fields} onChange={change} hasKey={false} hasTicks problems={problems} />
        <div className={styles.actions}>
          <span
            className={general === undefined ? styles.quiet : styles.problem}
            role={general === undefined ? undefined : 'alert'}
          >
            {general?.message ?? connectText.hint}
          </span>
          <Button
            variant="primary"
            size="xl"
            type="submit"
            disabledReason={isSaving ? connectionFormText.isSaving : undefined}
          >
            {connectText.connect}
          </Button>
        </div>
      </form>
    </section>
  );
}
