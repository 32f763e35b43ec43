import { formatClock, formatCountOf, formatIn, formatMinute, formatTimes } from '../../../src-preload/format.ts';
import { goneAfter, type NotKnown, type PendingStream } from '../../../src-preload/job.ts';
import { asSentence } from '../../../src-preload/messages/sentence.ts';
import type { TitledText } from './outcome.ts';

/** The buttons and titles of what is unsettled about a job. */
export const unsettledText = {
  fetchNow: 'Fetch now',
  stopWaiting: 'Stop waiting',
  unreadReplyTitle: 'The service’s reply is too large to read',
  unreadReply: (reason: string): string => `${reason} Its beginning is under Output, as the raw reply.`,
};

/**
 * A live job that the service does not know at the moment (ruling 34): how often it said so, when the status is read
 * next, and from when that would count. `later`: what the next status read waits for, or null if it waits for its time
 * alone.
 */
export function notKnownText(notKnown: NotKnown, nowMs: number, later: string | null): TitledText {
  const next = `Next check ${later ?? formatIn(notKnown.nextTryMs - nowMs)}.`;
  return {
    title: 'The service does not know this job right now',
    text: `${answered404Text(notKnown)} ${next} ${countsWhen(notKnown)} Until then, Jobdeck keeps tracking it.`,
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
    `It has answered 404 ${formatTimes(times)} since ${formatClock(sinceMs)}, most recently at ` +
    `${formatClock(lastAtMs)}.`
  );
}

/** From when such answers mean that the job is gone. */
function countsWhen({ sinceMs, times }: NotKnown): string {
  if (times === 0) return 'It counts as gone after three such answers from the service over at least a minute.';
  const from = formatClock(sinceMs + goneAfter.overMs);
  if (times >= goneAfter.answers)
    return `It counts as gone only while the endpoint itself answers, and not before ${from}.`;
  return `If the service still does not know it after ${from}, Jobdeck marks it as gone.`;
}

/** A job that is over and whose stream could not be read to its end yet (ruling 36). */
export function pendingStreamText(pending: PendingStream, nowMs: number, later: string | null): TitledText {
  const { sinceMs, failures, nextTryMs, untilMs, reason } = pending;
  const failed =
    failures === 0
      ? ' yet'
      : `: ${formatCountOf(failures, 'read has', 'reads have')} failed since ${formatClock(sinceMs)}`;
  const quote = reason.trim() === '' ? '' : ` ${asSentence(reason.trim())}`;
  return {
    title: `The rest of the stream is still being fetched, until ${formatMinute(untilMs)}`,
    text:
      `The job has ended and its result is saved, but Jobdeck has not read its whole stream${failed}.${quote} ` +
      `Next try ${later ?? formatIn(nextTryMs - nowMs)}.`,
  };
}
