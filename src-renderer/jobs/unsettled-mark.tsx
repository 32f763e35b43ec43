import { ArrowDownToLine } from 'lucide-react';
import type { Job, NotKnown } from '../../src-preload/job.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { notKnownNote, pendingStreamNote } from '../messages/job/row.ts';
import { useConnectionState, useWhenSentAgain } from '../data/connection-state.ts';
import { useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { rowText } from '../messages/jobs/row.tsx';
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
export function NotKnownRemark({ connectionId, notKnown }: { connectionId: string; notKnown: NotKnown }) {
  const connection = useSession((state) => state.connections.find(({ id }) => id === connectionId));
  const later = useWhenSentAgain(useConnectionState(connection));
  return <span className="trunc num">{notKnownNote(notKnown, useNow(1_000), later)}</span>;
}
