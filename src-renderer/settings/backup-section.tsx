import { useEffect, useRef } from 'react';
import { deletesSomething } from '../../src-preload/storage.ts';
import type { BackupProgress, OpenedBackup, RestoredBackup } from '../../src-preload/backup.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { commonText } from '../messages/common.ts';
import { backupProgressText, backupText, openedBackupText, restoredText } from '../messages/settings/storage.tsx';
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
  const busy = progress === null ? undefined : backupText.busy;
  return (
    <section className={styles.section} aria-label={backupText.title}>
      <h4 className={styles.heading}>{backupText.title}</h4>
      <p className={styles.quiet}>{backupText.about}</p>
      <div className={styles.row}>
        <Button disabledReason={busy} onClick={() => void backUp()}>
          {backupText.backUp}
        </Button>
        <Button disabledReason={busy} onClick={() => void openBackup()}>
          {backupText.open}
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

function WorkInProgress({ progress: { doing, share } }: { progress: BackupProgress }) {
  const percent = Math.round(100 * share);
  return (
    <div className={styles.confirm}>
      <div className={styles.under}>
        <span>{backupProgressText[doing]}</span>
        <span
          className={styles.progress}
          role="progressbar"
          aria-label={backupProgressText[doing]}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <span style={{ width: `${percent}%` }} />
        </span>
        <span className={styles.percent}>{percent} %</span>
        <Button onClick={cancelBackup}>{commonText.cancel}</Button>
      </div>
    </div>
  );
}

function Opened({ opened }: { opened: OpenedBackup }) {
  const nowMs = useNow(60_000);
  const hasRule = useSession((state) => deletesSomething(state.settings.retention));
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    card.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={card} className={styles.confirm} role="group" aria-label={openedBackupText.title}>
      <p role="status">
        {openedBackupText.intact(opened, nowMs)}
        <span className={styles.path}>{opened.path}</span>
      </p>
      <p>{openedBackupText.aboutMerge(hasRule)}</p>
      <p>{openedBackupText.aboutRestore()}</p>
      <div className={styles.actions}>
        <Button onClick={() => void closeBackup()}>{commonText.cancel}</Button>
        <Button variant="danger" onClick={() => void restoreBackup()}>
          {openedBackupText.restore}
        </Button>
        <Button variant="primary" onClick={() => void mergeBackup()}>
          {openedBackupText.merge(opened.jobs)}
        </Button>
      </div>
    </div>
  );
}

function Restored({ restored: { atMs, asidePath } }: { restored: RestoredBackup }) {
  const nowMs = useNow(60_000);
  return (
    <div className={styles.confirm} role="group" aria-label={restoredText.title}>
      <p>
        {restoredText.about(atMs, nowMs)}
        <span className={styles.path}>{asidePath}</span>
      </p>
      <div className={styles.actions}>
        <Button onClick={() => void undoRestore()}>{restoredText.undo}</Button>
      </div>
    </div>
  );
}
