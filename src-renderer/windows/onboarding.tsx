import { CircleX, FolderInput, HardDrive, Hourglass, Keyboard, MessageSquareText } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type ReactElement } from 'react';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Mark } from '../design/mark.tsx';
import { chooseSettings, useSession } from '../data/session-store.ts';
import { Shortcuts } from '../commands/shortcuts.tsx';
import { useSettingsDialog } from '../navigation/settings-store.ts';
import { useShell } from '../navigation/shell-store.ts';
import { openBackup } from '../settings/backup-store.ts';
import { ConnectionForm } from '../settings/connection-form.tsx';
import { blankConnection, type ConnectionFields } from '../settings/connection-form-state.ts';
import { problemsAfter, saveConnection, type FieldProblem } from '../settings/save-connection.ts';
import { Notices } from './banners.tsx';
import bar from './title-bar.module.css';
import { WindowControls } from './window-controls.tsx';
import styles from './onboarding.module.css';
import { SandboxPreview } from './sandbox-preview.tsx';

/** The first run: a button that starts the built-in sandbox, or a form for a connection to a service. */
export function Onboarding(): ReactElement {
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
          <Mark size={38} />
          <h1>Where do your jobs run?</h1>
          <p>Add more connections later. Each keeps its own history on this computer.</p>
        </div>
        <div className={styles.two}>
          <TrySandbox />
          <Connect />
        </div>
        <div className={styles.foot}>
          <span>
            <HardDrive size={14} strokeWidth={1.75} aria-hidden /> History stays on this computer
          </span>
          <button type="button" onClick={restoreFirst}>
            <FolderInput size={14} strokeWidth={1.75} aria-hidden /> <span>Restore a backup</span>
          </button>
          <button type="button" onClick={() => useShell.getState().set({ areShortcutsOpen: true })}>
            <Keyboard size={14} strokeWidth={1.75} aria-hidden /> <span>Keyboard shortcuts</span>
          </button>
        </div>
      </main>
      <Shortcuts />
    </div>
  );
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
  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <section className={styles.card} aria-labelledby="try-sandbox">
      <SandboxPreview />
      <div className={styles.inside}>
        <h2 id="try-sandbox">Try it now with the built-in sandbox</h2>
        <p className={styles.lead}>A small copy of the service runs inside Jobdeck. No account and no network.</p>
        <ul className={styles.points}>
          <li>
            <MessageSquareText size={16} strokeWidth={1.75} aria-hidden /> Endpoints for streamed text, images and your
            own tests
          </li>
          <li>
            <Hourglass size={16} strokeWidth={1.75} aria-hidden /> Real job states, limits, ttl and retention
          </li>
          <li>
            <CircleX size={16} strokeWidth={1.75} aria-hidden /> Failures and crashes on demand
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
            disabledReason={isOpening ? 'The sandbox is starting' : undefined}
            onClick={() => void open()}
          >
            Open the sandbox
          </Button>
        </div>
      </div>
    </section>
  );
}

function Connect(): ReactElement {
  const [fields, setFields] = useState(blankConnection);
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const general = problems.find(({ field }) => field === null);
  const change = (changed: ConnectionFields): void => {
    setFields(changed);
    setProblems(problemsAfter(problems, changed));
  };
  const connect = async (): Promise<void> => {
    const outcome = await saveConnection(fields);
    if ('problems' in outcome) {
      setProblems(outcome.problems);
      return;
    }
    await useSession.getState().load();
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
        <h2 id="connect-service">Connect to your service</h2>
        <ConnectionForm fields={fields} onChange={change} hasKey={false} hasTicks problems={problems} />
        <div className={styles.actions}>
          <span
            className={general === undefined ? styles.quiet : styles.problem}
            role={general === undefined ? undefined : 'alert'}
          >
            {general?.message ?? 'You can change all of this in Settings.'}
          </span>
          <Button variant="primary" size="xl" type="submit">
            Connect
          </Button>
        </div>
      </form>
    </section>
  );
}
