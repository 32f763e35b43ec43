import { HardDrive, HardDriveDownload, ArrowDownToLine } from 'lucide-react';
import { statusWord, type Job, type StatusKind, type NotKnown } from '../../src-preload/job.ts';
import { reasonText } from '../../src-preload/messages/job-reason.ts';
import { retentionEndOf } from '../data/service-deadlines.ts';
import { useNow } from '../data/use-now.ts';
import { classes } from '../design/class-names.ts';
import { statusTextClass, StatusGlyph } from '../design/status-glyph.tsx';
import { pendingStreamNote, notKnownNote, rowText } from '../messages/jobs/row.tsx';
import { Countdown } from './figure-text.tsx';
import { Snippet } from './highlight.tsx';
import { useConnectionState, useWhenSentAgain } from '../data/connection-state.ts';
import { useSession } from '../data/session-store.ts';
import styles from './job-row.module.css';

/** The accessible text for a row with something unsettled. Null for nearly all rows. */
export function unsettledName(job: Pick<Job, 'notKnown' | 'pendingStream'>): string | null {
  if (job.notKnown !== undefined) return rowText.notKnown;
  return job.pendingStream === undefined ? null : pendingStreamNote(job.pendingStream);
}

/**
 * The small glyph beside a row's status: its status is read again (ruling 34), or its stream is still being read
 * (ruling 36).
 */
export function UnsettledMark({ job }: { job: Pick<Job, 'notKnown' | 'pendingStream'> }) {
  const name = unsettledName(job);
  if (name === null) return null;
  return (
    <span className={styles.unsettled} title={name}>
      {job.notKnown === undefined ? (
        <ArrowDownToLine size={12} aria-hidden="true" />
      ) : (
        <StatusGlyph kind="unknown" size={12} />
      )}
    </span>
  );
}

/** The remark for a live job that the service does not know at the moment. */
function NotKnownRemark({ connectionId, notKnown }: { connectionId: string; notKnown: NotKnown }) {
  const connection = useSession((state) => state.connections.find(({ id }) => id === connectionId));
  const later = useWhenSentAgain(useConnectionState(connection));
  return <span className="trunc num">{notKnownNote(notKnown, useNow(1_000), later)}</span>;
}

interface RemarkOrSnippetProps {
  job: Job;
  kind: StatusKind;
  /** Where a search found its words. Undefined: nothing was searched, or they are in the title. */
  snippet: string | undefined;
}

/** Under a title: where the searched words are, or else the remark. */
export function RemarkOrSnippet({ job, kind, snippet }: RemarkOrSnippetProps) {
  if (snippet === undefined) return <RowRemark job={job} kind={kind} />;
  return (
    <span className="trunc">
      <Snippet text={snippet} />
    </span>
  );
}

/** The short remark of a row: what went wrong, what is arriving, how long the server keeps the result. */
function RowRemark({ job, kind }: { job: Job; kind: StatusKind }) {
  const remark = job.reason === null ? null : reasonText(job.reason);
  if (job.isCancelling) return <span>{rowText.cancelling}</span>;
  if (job.retryRequestedAtMs !== undefined) return <span>{rowText.willBeRetried}</span>;
  if (job.notKnown !== undefined) return <NotKnownRemark connectionId={job.connectionId} notKnown={job.notKnown} />;
  if (job.pendingStream !== undefined && kind !== 'fail' && kind !== 'timeout')
    return <span className="trunc num">{pendingStreamNote(job.pendingStream)}</span>;
  switch (kind) {
    case 'fail':
      return (
        <span className={classes(statusTextClass('fail'), 'trunc')} title={remark ?? undefined}>
          {remark ?? rowText.failed}
        </span>
      );
    case 'timeout':
      return <span className={statusTextClass('timeout')}>{rowText.timedOut}</span>;
    case 'cancel':
      return (
        <span>
          {job.executionTimeMs === null && job.startedSeenAtMs === null
            ? rowText.cancelledWhileQueued
            : rowText.cancelled}
        </span>
      );
    case 'gone':
      return (
        <span className="trunc" title={remark ?? undefined}>
          {remark ?? (job.goneReason === 'purged' ? rowText.purged : rowText.gone)}
        </span>
      );
    case 'unknown':
      return (
        <span className="trunc" title={remark ?? undefined}>
          {job.isLikelyThere === true && job.phase === 'outcome-unknown'
            ? rowText.probablyArrived
            : (remark ?? statusWord(job))}
        </span>
      );
    case 'orphaned':
      return (
        <span className="trunc" title={remark ?? undefined}>
          {remark ?? statusWord(job)}
        </span>
      );
    case 'to-send':
      return (
        <span className="trunc" title={remark ?? undefined}>
          {remark ?? (job.phase === 'submitting' ? rowText.sending : rowText.waitingToBeSent)}
        </span>
      );
    case 'run':
      return job.chunkCount > 0 ? <span className="num">{rowText.chunks(job.chunkCount)}</span> : null;
    case 'queue':
      return null;
    case 'done':
      if (job.unreadReply !== undefined)
        return (
          <span className="trunc" title={job.unreadReply}>
            {rowText.replyTooLarge}
          </span>
        );
      return job.isWithoutOutput ? <span className="trunc">{rowText.noOutput}</span> : <OnServer job={job} />;
  }
}

/** How long the service still has the result, and after that whether it is saved here. */
function OnServer({ job }: { job: Job }) {
  const nowMs = useNow(1_000);
  const untilMs = retentionEndOf(job);
  if (untilMs !== null && nowMs < untilMs) {
    return (
      <span className={styles.where}>
        <HardDriveDownload size={12} />
        {rowText.onServer(
          <span className="num">
            <Countdown untilMs={untilMs} over="" />
          </span>,
        )}
      </span>
    );
  }
  if (job.outputForgottenAtMs !== undefined) return <span className="trunc">{rowText.outputDeleted}</span>;
  return job.isResultSaved ? (
    <span className={styles.where}>
      <HardDrive size={12} />
      {rowText.saved}
    </span>
  ) : null;
}
