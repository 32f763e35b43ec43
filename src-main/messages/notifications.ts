import type { EndpointRef } from '../../src-preload/endpoint-key.ts';
import { asSentence, capital } from '../../src-preload/messages/sentence.ts';
import { reasonText } from '../../src-preload/messages/job-reason.ts';
import type { Batch } from '../../src-preload/batch.ts';
import { alertNames } from '../../src-preload/messages/alert.ts';
import type { AlertKind } from '../../src-preload/alert.ts';
import { formatCount, formatCountOf, formatDuration, formatMinute } from '../../src-preload/format.ts';
import { statusKind, statusWord, type Job, type StatusKind } from '../../src-preload/job.ts';
import type { AppNotification, NotificationDelivery } from '../../src-preload/notification.ts';

/** Title and body for one job that ended. Pure. Never has any output, only the user's names and the reason. */
export function endMessage(job: Job, endpointName: string): { title: string; body: string } {
  const tookMs = job.executionTimeMs ?? 0;
  const took = tookMs < 10 ? '' : `${formatDuration(tookMs)} on `;
  switch (statusKind(job)) {
    case 'done':
      if (job.unreadReply !== undefined)
        return {
          title: `${job.title} completed`,
          body: `${took}${endpointName}. The reply is too large to read; the beginning is saved here.`,
        };
      if (job.pendingStream !== undefined)
        return {
          title: `${job.title} completed`,
          body: `${took}${endpointName}. The rest of its stream is still being fetched.`,
        };
      return job.isWithoutOutput
        ? {
            title: `${job.title} completed without output`,
            body: `${took}${endpointName}. The service returned no output.`,
          }
        : { title: `${job.title} completed`, body: `${took}${endpointName}, saved here` };
    case 'fail':
    case 'timeout':
      return {
        title: `${job.title} ${statusWord(job).toLowerCase()}`,
        body:
          `${asSentence(job.reason === null ? 'No reason given' : reasonText(job.reason))} ` +
          `${took === '' ? 'On ' : `After ${took}`}${endpointName}.`,
      };
    case 'cancel':
      return { title: `${job.title} was cancelled`, body: endpointName };
    case 'gone':
      if (job.goneReason === 'too-large')
        return {
          title: `The reply for ${job.title} is too large to read`,
          body: `Its beginning is saved here. The job may have completed normally on ${endpointName}.`,
        };
      return {
        title: `${job.title} is gone from the service`,
        body: job.reason === null ? `${endpointName} no longer knows it` : reasonText(job.reason),
      };
    case 'queue':
    case 'run':
    case 'to-send':
    case 'unknown':
    case 'orphaned':
      return { title: job.title, body: `${statusWord(job)} on ${endpointName}` };
  }
}

type NotificationText = Pick<AppNotification, 'kind' | 'statusKind' | 'title' | 'body' | 'atMs'>;

/** Title and body for several events that are shown together. */
export function groupMessage(
  of: readonly NotificationText[],
  delivery: NotificationDelivery,
): { title: string; body: string } {
  const counts = new Map<string, number>();
  for (const { statusKind } of of) {
    if (statusKind === null) continue;
    const word = groupWord[statusKind];
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const areJobs = of.every(({ kind }) => kind === 'job');
  const what = areJobs ? `${formatCount(of.length)} jobs ended` : formatCountOf(of.length, 'notification');
  const where = delivery === 'after-quiet-hours' ? ' in quiet hours' : '';
  const sums = [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
  const first = `${of[0]?.title ?? ''}, and ${of.length - 1} more`;
  return {
    title: `${delivery === 'in-digest' ? 'Digest: ' : ''}${what}${where}`,
    body: sums === '' ? first : `${sums}. ${first}`,
  };
}

/** Title and body of an event that is shown alone, with its local time if it is late. */
export function lateMessage(
  { title, body, atMs }: NotificationText,
  delivery: NotificationDelivery,
): { title: string; body: string } {
  return delivery === 'shown' ? { title, body } : { title, body: `${body} (at ${formatMinute(atMs)})` };
}

/** Title and body for a batch whose last row ended. */
export function batchMessage({ name, counts, total }: Batch): { title: string; body: string } {
  const counted: readonly (readonly [number, string])[] = [
    [counts.completed, 'completed'],
    [counts.failed, 'failed'],
    [counts.refused, 'refused'],
    [counts.unknown, 'with an unknown outcome'],
    [counts.gone, 'gone'],
    [counts.cancelled, 'cancelled'],
  ];
  return {
    title: `Batch “${name}” finished`,
    body: `${formatCountOf(total, 'row')}: ${counted
      .filter(([count]) => count > 0)
      .map(([count, word]) => `${formatCount(count)} ${word}`)
      .join(', ')}`,
  };
}

/** Title and body for a batch that was stopped by its failures. */
export function stoppedBatchMessage({ name, counts, limits }: Batch): { title: string; body: string } {
  const failures = limits.stopAfterFailures ?? 0;
  return {
    title: `Batch “${name}” stopped`,
    body:
      `${failures === 1 ? 'A row' : `${formatCount(failures)} rows`} failed, so the remaining ` +
      `${formatCountOf(counts.waiting, 'row was', 'rows were')} not sent. Resume the batch to send them.`,
  };
}

/** Title and body without any names or texts, for a screen that others can see. */
export function messageWithoutDetails(
  of: readonly Pick<AppNotification, 'kind' | 'statusKind' | 'connectionId' | 'endpointId'>[],
  { endpointName }: { endpointName: (endpoint: EndpointRef) => string },
): { title: string; body: string } {
  const [first] = of;
  if (first === undefined || of.length > 1) return { title: `${of.length} notifications`, body: opensJobdeck };
  const { kind, statusKind, connectionId, endpointId } = first;
  const what: Readonly<Record<AppNotification['kind'], string>> = {
    job: `A job ${statusKind === null ? 'ended' : groupWord[statusKind]}`,
    batch: statusKind === 'fail' ? 'A batch has failures' : 'A batch finished',
    alert: 'An alert',
    refusal: 'Requests are refused',
  };
  const where = endpointId === null ? '' : ` on ${endpointName({ connectionId, endpointId })}`;
  return { title: `${what[kind]}${where}`, body: opensJobdeck };
}

const opensJobdeck = 'Click to see it in Jobdeck';

const groupWord: Record<StatusKind, string> = {
  done: 'completed',
  fail: 'failed',
  timeout: 'timed out',
  cancel: 'cancelled',
  gone: 'gone',
  queue: 'queued',
  run: 'running',
  'to-send': 'waiting',
  unknown: 'unknown',
  orphaned: 'orphaned',
};

/** Shown once, when the last window closed while jobs are live. */
export function stayingMessage(liveJobs: number, hasTray: boolean): { title: string; body: string } {
  const live = liveJobs === 1 ? 'One job is' : `${liveJobs} jobs are`;
  const body = `${live} still active; Jobdeck saves the results as they arrive.`;
  return hasTray
    ? { title: 'Jobdeck stays in the tray', body: `${body} Quit from the tray.` }
    : {
        title: 'Jobdeck keeps running',
        body: `${body} Start Jobdeck again, or click here, to get its window back.`,
      };
}

/** A button of a notification. */
export function actionLabel(action: 'retry' | 'edit' | 'copy-output'): string {
  return { retry: 'Retry', edit: 'Resubmit with edits', 'copy-output': 'Copy output' }[action];
}

/** The notification for an action that failed. `title`: the title of the original; null if titles are hidden. */
export function actionFailedMessage(action: 'retry' | 'copy-output', title: string | null): string {
  const what = action === 'retry' ? 'Could not retry' : 'Could not copy the output';
  return title === null ? `${what}; click to see the job` : `${what}: ${title}`;
}

/** A retry that was not sent, because the job has another status by now. */
export function retryRefusedText(status: string): string {
  return `Jobdeck did not retry the job, because its status is now ${status}.`;
}

/** The notification by which the user tests notifications. */
export const testNotification = {
  title: 'Notifications arrive',
  body: 'This is a test from Jobdeck. A click on one opens its job.',
};

/** What continues at the service, in the notification centre. */
export const ongoingText = {
  alertTitle: (kind: AlertKind, endpoint: string): string => `${alertNames[kind]} on ${endpoint}`,
  streams: (jobs: number): { title: string; text: string } => ({
    title: `${formatCountOf(jobs, 'job')} completed, the stream is still being fetched`,
    text: 'The result is saved. Jobdeck keeps reading the rest of the stream.',
  }),
  notKnown: (jobs: number): { title: string; text: string } => ({
    title: `${formatCountOf(jobs, 'job')} not known to the service right now`,
    text: 'Jobdeck keeps checking. A job counts as gone only after several such answers.',
  }),
  unknownOutcomes: (submissions: number): { title: string; text: string } => ({
    title: `${formatCountOf(submissions, 'submission')} with an unknown outcome`,
    text: 'The service did not answer. Jobdeck does not send them again automatically.',
  }),
};

/** What a service refuses to a key. `operations` are those of one endpoint, in words. */
export const refusalText = {
  keyLine: (connection: string): string => `Key refused: ${connection}`,
  operationsLine: (operations: string): string => `Refused: ${operations}`,
  keyTitle: (connection: string, httpStatus: number): string =>
    `The service refuses the key for ${connection} (${httpStatus})`,
  keyBody: 'Meanwhile Jobdeck reads and sends nothing there; saved jobs are safe.',
  /** `count` is the number of operations. */
  operationsTitle: (operations: string, count: number, statuses: string): string =>
    `${capital(operations)} ${count === 1 ? 'is' : 'are'} refused (${statuses})`,
  tryingNow: 'Trying again now.',
  nextTry: (time: string): string => `Next try at ${time}.`,
};
