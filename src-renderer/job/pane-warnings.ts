import type { Connection } from '../../src-preload/connection.ts';
import type { Job } from '../../src-preload/job.ts';
import { whenSentAgain, type ShownConnectionState } from '../data/connection-state.ts';
import { paneNoteText } from '../messages/job/pane.ts';

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
