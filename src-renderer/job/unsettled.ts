import { goneAfter, type NotKnown, type PendingStream } from '../../src-preload/job.ts';
import { formatClock, formatCountOf, formatIn, formatMinute } from '../../src-preload/format.ts';

/** The text about something unsettled of a job. */
export interface UnsettledText {
  title: string;
  text: string;
}

/**
 * A live job that the service does not know at the moment (ruling 34): how often it said so, when the status is read
 * next, and from when that would count. `later`: what the next status read waits for, or null if it waits for its time
 * alone.
 */
export function notKnownText(notKnown: NotKnown, nowMs: number, later: string | null): UnsettledText {
  const answered = answered404Text(notKnown);
  return {
    title: 'The service does not know this job right now',
    text:
      `${answered} ${nextText('Next check', notKnown.nextTryMs, nowMs, later)} ${countsWhen(notKnown)} Until ` +
      'then, Jobdeck keeps tracking it.',
  };
}

function answered404Text({ sinceMs, times, lastAtMs }: NotKnown): string {
  if (times === 0)
    return (
      `It answered 404 at ${formatClock(lastAtMs)}, which does not count: the answer did not come from the ` +
      'service itself, or its endpoint could not be checked.'
    );
  if (times === 1) return `It answered 404 at ${formatClock(sinceMs)}.`;
  return (
    `It answered 404 ${times === 2 ? 'twice' : `${times} times`} since ${formatClock(sinceMs)}, last at ` +
    `${formatClock(lastAtMs)}.`
  );
}

/** From when such answers mean that the job is gone. */
function countsWhen({ sinceMs, times }: NotKnown): string {
  if (times === 0) return 'It counts as gone after three such answers from the service over at least a minute.';
  const missing = goneAfter.answers - times;
  const from = formatClock(sinceMs + goneAfter.overMs);
  if (missing <= 0) return `It counts as gone only while the endpoint itself answers, and not before ${from}.`;
  return (
    `It counts as gone after ${missing === 1 ? 'one more such answer' : 'two more such answers'}, not before ` +
    `${from}.`
  );
}

/** The remark in such a job's row. */
export function notKnownNote({ nextTryMs }: NotKnown, nowMs: number): string {
  return `not known right now, next check ${formatIn(nextTryMs - nowMs)}`;
}

/** A job that is over and whose stream could not be read to its end yet (ruling 36). */
export function pendingStreamText(pending: PendingStream, nowMs: number, later: string | null): UnsettledText {
  const { sinceMs, failures, nextTryMs, untilMs, reason } = pending;
  const failed =
    failures === 0
      ? ' yet'
      : `: ${formatCountOf(failures, 'read has', 'reads have')} failed since ${formatClock(sinceMs)}`;
  const said = reason.trim() === '' ? '' : ` ${withStop(reason.trim())}`;
  return {
    title: `The rest of the stream is still being fetched, until ${formatMinute(untilMs)}`,
    text:
      `The job has ended and its result is saved, but Jobdeck has not read its whole stream${failed}.${said} ` +
      nextText('Next try', nextTryMs, nowMs, later),
  };
}

/** The remark in such a job's row. */
export function pendingStreamNote({ untilMs }: PendingStream): string {
  return `stream still being fetched, until ${formatMinute(untilMs)}`;
}

function nextText(what: string, atMs: number, nowMs: number, later: string | null): string {
  return `${what} ${later ?? formatIn(atMs - nowMs)}.`;
}

function withStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
