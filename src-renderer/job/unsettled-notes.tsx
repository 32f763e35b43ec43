import { ArrowDownToLine, CircleQuestionMark, FileWarning } from 'lucide-react';
import type { Job } from '../../src-preload/job.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { useWhenSentAgain, type ShownConnectionState } from '../data/connection-state.ts';
import { useNow } from '../data/use-now.ts';
import { commonText } from '../messages/common.ts';
import { notKnownText, pendingStreamText, unsettledText } from '../messages/job/unsettled.ts';
import { useIsBusy } from './action-store.ts';
import { stopWaiting, checkNow } from './actions.ts';
import styles from './job-pane.module.css';

/** Reads the status of a job on request. It is disabled meanwhile. */
export function CheckButton({ job, label }: { job: Job; label: string }) {
  const isChecking = useIsBusy(job.key, 'check');
  return (
    <Button size="sm" disabled={isChecking} onClick={() => void checkNow(job)}>
      {label}
    </Button>
  );
}

/** What is unsettled about a job: each with its beginning, its next try and its end (rulings 34, 36 and 43). */
export function UnsettledNotes({ job, connectionState }: { job: Job; connectionState: ShownConnectionState | null }) {
  return (
    <>
      {job.notKnown !== undefined && (
        <NotKnownNote job={job} notKnown={job.notKnown} connectionState={connectionState} />
      )}
      {job.unreadReply !== undefined && job.phase !== 'gone' && <UnreadReplyNote reason={job.unreadReply} />}
      {job.pendingStream !== undefined && (
        <PendingStreamNote job={job} pending={job.pendingStream} connectionState={connectionState} />
      )}
    </>
  );
}

interface NotKnownNoteProps {
  job: Job;
  notKnown: NonNullable<Job['notKnown']>;
  connectionState: ShownConnectionState | null;
}

/** A live job that the service does not know at the moment, which is neither an error nor an end. */
function NotKnownNote({ job, notKnown, connectionState }: NotKnownNoteProps) {
  const nowMs = useNow(1_000);
  const note = notKnownText(notKnown, nowMs, useWhenSentAgain(connectionState));
  return (
    <div className={styles['failure-note']}>
      <Callout
        icon={<CircleQuestionMark size={16} />}
        title={note.title}
        actions={<CheckButton job={job} label={commonText.checkNow} />}
      >
        {note.text}
      </Callout>
    </div>
  );
}

interface PendingStreamNoteProps {
  job: Job;
  pending: NonNullable<Job['pendingStream']>;
  connectionState: ShownConnectionState | null;
}

/** A job that is over while the rest of its stream is still being tried. */
function PendingStreamNote({ job, pending, connectionState }: PendingStreamNoteProps) {
  const nowMs = useNow(1_000);
  const isStopping = useIsBusy(job.key, 'stop-waiting');
  const note = pendingStreamText(pending, nowMs, useWhenSentAgain(connectionState));
  const actions = (
    <>
      <CheckButton job={job} label={unsettledText.fetchNow} />
      <Button size="sm" variant="ghost" disabled={isStopping} onClick={() => void stopWaiting(job.key)}>
        {unsettledText.stopWaiting}
      </Button>
    </>
  );
  return (
    <div className={styles['failure-note']}>
      <Callout icon={<ArrowDownToLine size={16} />} title={note.title} actions={actions}>
        {note.text}
      </Callout>
    </div>
  );
}

/** An ended job whose reply exceeds what is ever read (ruling 43). A gone job says so in its own card. */
function UnreadReplyNote({ reason }: { reason: string }) {
  return (
    <div className={styles['failure-note']}>
      <Callout icon={<FileWarning size={16} />} title={unsettledText.unreadReplyTitle}>
        {unsettledText.unreadReply(reason)}
      </Callout>
    </div>
  );
}
