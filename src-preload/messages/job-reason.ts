import { formatRoundDuration } from '../format.ts';
import { asSentence, capital } from './sentence.ts';
import type {
  CounterEvidence,
  NoLongerKnownReason,
  HeldBackReason,
  JobReason,
  StreamGivenUpReason,
  UnansweredReason,
} from '../job-reason.ts';

/** One line for lists, notifications, the search and exports. */
export function reasonText(reason: JobReason): string {
  switch (reason.kind) {
    case 'unanswered':
      return unansweredText(reason);
    case 'gone':
      return goneTexts[reason.because];
    case 'stream-given-up':
      return streamGivenUpText(reason);
    case 'refused':
    case 'progress':
    case 'failed':
    case 'reply-too-large':
      return reason.said;
    case 'timed-out':
      return reason.said ?? `executionTimeout exceeded: it ran longer than ${formatRoundDuration(reason.limitMs)}`;
    case 'no-output':
      return 'Completed, no output returned';
    case 'withdrawn':
      return 'Cancelled before it was sent';
    case 'cancel-refused':
      return `Not cancelled: ${reason.said}`;
    case 'not-retried':
      return `Not retried: ${reason.said}`;
    case 'retry-too-late':
      return (
        'Not retried: its result expired before the retry could be sent. Its input is saved here; you can ' +
        'resubmit it.'
      );
    case 'connection-removed':
      return reason.wasSent ? 'No longer tracked: its connection was removed' : 'Not sent: its connection was removed';
    case 'prose':
      return reason.text;
    default:
      return `Not sent yet: ${heldBackText(reason)}`;
  }
}

/** Why a job waits, as a sentence. Null for any other reason. */
export function whyHeldBack(reason: JobReason | null): string | null {
  if (reason === null) return null;
  if (reason.kind === 'prose') return reason.text;
  if (!isHeldBack(reason)) return null;
  return capital(heldBackText(reason));
}

function isHeldBack(reason: JobReason): reason is HeldBackReason {
  return reason.kind in heldBackTexts || reason.kind === 'not-sent' || reason.kind === 'rate-limited';
}

const heldBackTexts = {
  paused: 'Jobdeck is paused',
  offline: 'the service is not reachable',
  'no-key': 'the connection needs a key that the service accepts',
  'key-refused': 'the service currently refuses this connection’s key',
  'submissions-refused': 'the service currently refuses submissions to this endpoint',
  'earlier-first': 'earlier jobs go first',
  'budget-used-up': 'the rate limit of this endpoint is used up',
  closing: 'Jobdeck was closing',
} as const;

function heldBackText(reason: HeldBackReason): string {
  switch (reason.kind) {
    case 'not-sent':
      return reason.said;
    case 'rate-limited':
      return `rate limited (429)${reason.said === null ? '' : `. ${reason.said}`}`;
    default:
      return heldBackTexts[reason.kind];
  }
}

/** The text says itself whether submitting again may run the job twice. */
function unansweredText({ why, counters }: UnansweredReason): string {
  const evidence = counters === undefined ? [] : [counterText(counters)];
  return [whyUnanswered(why), ...evidence].filter((part) => part !== '').join(' ');
}

function whyUnanswered(why: UnansweredReason['why']): string {
  switch (why.kind) {
    case 'ended':
      return 'Jobdeck closed while sending this.';
    case 'error':
      return `Jobdeck hit an error while sending this: ${asSentence(why.said)}`;
    case 'called-back':
      return 'This submission seemed not to have arrived, but the service called back about it.';
    case 'no-answer':
      return why.mentionedId === null
        ? asSentence(why.said)
        : `${asSentence(why.said)} The reply mentions the id ${why.mentionedId}.`;
  }
}

function counterText({ more, unanswered, readBeforeMs }: CounterEvidence): string {
  const found = moreText(more, unanswered);
  if (readBeforeMs === null) return found;
  const compared =
    `Compared with a reading ${Math.max(1, Math.round(readBeforeMs / 1_000))} s before ` +
    `${unanswered === 1 ? 'it was' : 'they were'} sent`;
  return more === 0 ? `${found} ${compared}.` : `${found} ${compared}; a job of another client would look the same.`;
}

function moreText(more: number, unanswered: number): string {
  if (more === 0) return 'It probably did not arrive: the endpoint reports no job that Jobdeck does not know.';
  if (more < unanswered)
    return (
      `Of ${unanswered} jobs sent without a reply at that time ${more === 1 ? 'one' : more} probably arrived: the ` +
      `endpoint reports ${more} more than Jobdeck knows.`
    );
  return unanswered === 1
    ? 'It probably arrived: the endpoint reports one job more than Jobdeck knows.'
    : `It probably arrived: the endpoint reports ${more} jobs more than Jobdeck knows, as many as were sent ` +
        'without a reply.';
}

const goneTexts: Record<NoLongerKnownReason['because'], string> = {
  'unknown-endpoint': 'The service does not know this endpoint (404)',
  purged: 'Removed from the queue by your purge',
  expired:
    'The service no longer has it (404): its ttl or the retention of its result ended before Jobdeck ' +
    'could read it',
  removed: 'Deleted on the service before it expired, probably by a purge from elsewhere (404)',
};

function streamGivenUpText({ because, said }: StreamGivenUpReason): string {
  const texts: Record<StreamGivenUpReason['because'], string> = {
    'not-waited-for': 'You stopped waiting for the rest of its stream',
    'left-service': 'The rest of its stream expired before Jobdeck could read it',
    'connection-removed': 'Its connection was removed before the rest of its stream was read',
  };
  return said === null ? texts[because] : `${asSentence(texts[because])} ${said}`;
}
