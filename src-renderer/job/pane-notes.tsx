import { CircleAlert, EyeOff, RotateCcw } from 'lucide-react';
import { useEffect } from 'react';
import type { Job } from '../../src-preload/job.ts';
import { type ShownConnectionState, whenSentAgain } from '../data/connection-state.ts';
import { useSession } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { paneNoteText } from '../messages/job/pane.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import { dismissFailure, showsFailures, useActions } from './action-store.ts';
import { cancelJob } from './actions.ts';
import { UnsettledNotes } from './unsettled-notes.tsx';
import { useEnds } from './use-job-detail.ts';
import type { Connection } from '../../src-preload/connection.ts';
import styles from './job-pane.module.css';

/**
 * Why a live job is not tracked: it was sent to another host than its connection now has, and a key goes only to the
 * host it was entered for. Null otherwise, for jobs that the service does not have or has finished, and for the
 * built-in sandbox, which has a new port after every start.
 */
export function otherAddressNote(
  job: Pick<Job, 'phase' | 'baseUrl'>,
  connection: Pick<Connection, 'baseUrl' | 'isSandbox'> | undefined,
): string | null {
  if (job.phase !== 'active' || connection === undefined || connection.isSandbox) return null;
  const sentTo = addressOf(job.baseUrl);
  const pointsTo = addressOf(connection.baseUrl);
  if (sentTo === null || pointsTo === null || sentTo.origin === pointsTo.origin) return null;
  const isSameHost = sentTo.host === pointsTo.host;
  const [from, to] = isSameHost ? [sentTo.origin, pointsTo.origin] : [sentTo.host, pointsTo.host];
  return paneNoteText.otherAddress(from, to);
}

function addressOf(baseUrl: string): URL | null {
  return URL.canParse(baseUrl) ? new URL(baseUrl) : null;
}

/** The text about a waiting retry: what it waits for, and until when it is useful. Null if none waits. */
export function waitingRetryText(
  job: Pick<Job, 'retryRequestedAtMs' | 'retentionEndsAtMs'>,
  connectionState: ShownConnectionState | null,
  isPaused: boolean,
): string | null {
  if (job.retryRequestedAtMs === undefined) return null;
  return paneNoteText.retry(whenSentAgain(connectionState, isPaused), job.retentionEndsAtMs);
}

interface PaneNotesProps {
  job: Job;
  /** Not a former attempt, to which only the failure of an action belongs. */
  isCurrent: boolean;
  connectionState: ShownConnectionState | null;
  /** Why the job is no longer tracked, or null. */
  notFollowed: string | null;
}

/** What the user has to know of a job before its output, each with what can be done about it. */
export function PaneNotes({ job, isCurrent, connectionState, notFollowed }: PaneNotesProps) {
  return (
    <>
      <FailureNote jobKey={job.key} />
      {notFollowed !== null && isCurrent && <NotFollowed text={notFollowed} connectionId={job.connectionId} />}
      {isCurrent && <WaitingRetry job={job} connectionState={connectionState} />}
      {isCurrent && <UnsettledNotes job={job} connectionState={connectionState} />}
    </>
  );
}

/** A retry that could not be sent yet, with a button that withdraws it. */
function WaitingRetry({ job, connectionState }: { job: Job; connectionState: ShownConnectionState | null }) {
  const isPaused = useSession(({ tracker }) => tracker?.isPaused === true);
  const sentence = waitingRetryText(useEnds(job), connectionState, isPaused);
  if (sentence === null) return null;
  return (
    <div className={styles['failure-note']}>
      <Callout
        icon={<RotateCcw size={16} />}
        title={paneNoteText.retryTitle}
        actions={
          <Button size="sm" onClick={() => void cancelJob(job.key)}>
            {paneNoteText.cancelRetry}
          </Button>
        }
      >
        {sentence}
      </Callout>
    </div>
  );
}

function NotFollowed({ text, connectionId }: { text: string; connectionId: string }) {
  const edit = (
    <Button size="sm" onClick={() => useSettingsDialog.getState().open('connections', connectionId)}>
      {paneNoteText.editConnection}
    </Button>
  );
  return (
    <div className={styles['failure-note']}>
      <Callout tone="warning" icon={<EyeOff size={16} />} title={paneNoteText.notTrackedTitle} actions={edit}>
        {text}
      </Callout>
    </div>
  );
}

/** The failure of an action, shown with the job. */
function FailureNote({ jobKey }: { jobKey: string }) {
  const failed = useActions((state) => state.failures[jobKey]);
  useEffect(() => showsFailures(jobKey), [jobKey]);
  if (failed === undefined) return null;
  const serviceSaid = 'serviceSaid' in failed.failure ? failed.failure.serviceSaid : undefined;
  return (
    <div className={styles['failure-note']}>
      <Callout
        tone={failed.tone ?? 'error'}
        icon={<CircleAlert size={16} />}
        title={failed.title}
        onDismiss={() => dismissFailure(jobKey)}
      >
        {failed.failure.message}
        {serviceSaid !== undefined && serviceSaid !== failed.failure.message && <p className="mono">{serviceSaid}</p>}
      </Callout>
    </div>
  );
}
