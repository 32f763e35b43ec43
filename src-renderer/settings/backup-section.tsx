import { useEffect, useRef } from 'react';
import { deletesSomething } from '../../src-preload/storage.ts';
import type { BackupProgress, OpenedBackup, RestoredBackup } from '../../src-preload/backup.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { formatBytes, formatClock, formatCountOf, formatDay } from '../../src-preload/format.ts';
import { useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import {
  backUp,
  cancelBackup,
  closeBackup,
  followBackup,
  mergeBackup,
  openBackup,
  restoreBackup,
  undoRestore,
  useBackup,
} from './backup-store.ts';
import styles from './storage-page.module.css';

/** Backup and restore of the whole history, and the import of jobs from another computer. */
export function BackupSection() {
  const { progress, opened, restored, problem } = useBackup();
  useEffect(followBackup, []);
  const busy = progress === null ? undefined : 'Jobdeck is already working on a backup';
  return (
    <section className={styles.section} aria-label="Backup">
      <h4 className={styles.heading}>Backup</h4>
      <p className={styles.quiet}>
        A backup is a copy of the whole history in one file, with every input and output. It is written while you work.
        Keys and secrets are never in it. You can restore it here, or merge it into the history of another computer.
      </p>
      <div className={styles.row}>
        <Button disabledReason={busy} onClick={() => void backUp()}>
          Back up…
        </Button>
        <Button disabledReason={busy} onClick={() => void openBackup()}>
          Restore or merge…
        </Button>
      </div>
      {problem !== null && (
        <Callout tone="error" title={problem.title}>
          {problem.text}
        </Callout>
      )}
      {progress !== null && <WorkInProgress progress={progress} />}
      {opened !== null && progress === null && <Opened opened={opened} />}
      {restored !== null && opened === null && progress === null && <Restored restored={restored} />}
    </section>
  );
}

const doingLabels: Readonly<Record<BackupProgress['doing'], string>> = {
  write: 'Writing the backup…',
  check: 'Checking the file…',
  merge: 'Merging…',
};

function WorkInProgress({ progress: { doing, share } }: { progress: BackupProgress }) {
  const percent = Math.round(100 * share);
  return (
    <div className={styles.confirm}>
      <div className={styles.under}>
        <span>{doingLabels[doing]}</span>
        <span
          className={styles.progress}
          role="progressbar"
          aria-label={doingLabels[doing]}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <span style={{ width: `${percent}%` }} />
        </span>
        <span className={styles.percent}>{percent} %</span>
        <Button variant="ghost" onClick={cancelBackup}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

function Opened({ opened: { path, jobs, oldestMs, newestMs, bytes } }: { opened: OpenedBackup }) {
  const nowMs = useNow(60_000);
  const hasRule = useSession((state) => deletesSomething(state.settings.retention));
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    card.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const [from, to] = [oldestMs, newestMs].map((ms) => (ms === null ? '' : formatDay(ms, nowMs)));
  const span = from === '' ? '' : from === to ? ` of ${from}` : ` from ${from} to ${to}`;
  return (
    <div ref={card} className={styles.confirm} role="group" aria-label="Restore or merge">
      <p role="status">
        {`The backup is intact. It contains ${formatCountOf(jobs, 'job')}${span}, ${formatBytes(bytes)}.`}
        <span className={styles.path}>{path}</span>
      </p>
      <p>
        <strong>Merge</strong> adds its jobs to your history and keeps everything you have. Connections and keys are not
        added. Merging it twice changes nothing.
        {hasRule && ' Your retention rule applies to them too, so it may delete old outputs within an hour.'}
      </p>
      <p>
        <strong>Restore</strong> replaces your history with it and restarts Jobdeck. Your current history is set aside,
        so you can undo this. Active jobs of the current history keep running on the service.
      </p>
      <div className={styles.actions}>
        <Button variant="ghost" onClick={() => void closeBackup()}>
          Cancel
        </Button>
        <Button variant="danger" onClick={() => void restoreBackup()}>
          Restore and restart
        </Button>
        <Button variant="primary" onClick={() => void mergeBackup()}>
          {`Merge ${formatCountOf(jobs, 'job')}`}
        </Button>
      </div>
    </div>
  );
}

function Restored({ restored: { atMs, asidePath } }: { restored: RestoredBackup }) {
  const nowMs = useNow(60_000);
  return (
    <div className={styles.confirm} role="group" aria-label="Last restore">
      <p>
        {`Restored ${formatDay(atMs, nowMs)}, ${formatClock(atMs)}. The history you had before is set aside.`}
        <span className={styles.path}>{asidePath}</span>
      </p>
      <div className={styles.actions}>
        <Button onClick={() => void undoRestore()}>Undo the restore and restart</Button>
      </div>
    </div>
  );
}
