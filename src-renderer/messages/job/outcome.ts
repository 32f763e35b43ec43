import {
  formatClock,
  formatCountOf,
  formatDuration,
  formatMeasured,
  formatMinute,
} from '../../../src-preload/format.ts';
import { reasonText } from '../../../src-preload/messages/job-reason.ts';
import { asSentence } from '../../../src-preload/messages/sentence.ts';
import { mentionedId, type JobReason } from '../../../src-preload/job-reason.ts';
import { commonText } from '../common.ts';
import { formatLimit } from './formats.ts';

export const notSentYet: TitledText = {
  title: 'Not sent yet',
  text: 'The service does not have it yet. Jobdeck will send it once, as soon as it can.',
};

export const beingSent: TitledText = {
  title: 'Sending…',
  text: 'The service has not accepted this job so far. Jobdeck is trying again now.',
};

/** A submission that the service never confirmed. */
export function notConfirmed(sentAtMs: number, reason: JobReason | null, isLikelyThere: boolean): TitledText {
  return {
    title: isLikelyThere ? 'It probably arrived' : 'It may have run',
    text:
      `Sent at ${formatClock(sentAtMs)}. ` +
      `${reason === null ? 'The service never confirmed it.' : asSentence(reasonText(reason))} ` +
      (mentionedId(reason) === null
        ? 'There is no job id to check.'
        : 'Track it, and Jobdeck asks the service for that id; nothing is submitted.') +
      (reason?.kind === 'prose' ? '' : ' Submitting again may run it twice.'),
  };
}

/** A submission without a reply, for which a webhook arrived. */
export function calledBack(sentAtMs: number): TitledText {
  return {
    title: 'It probably arrived',
    text:
      `Sent at ${formatClock(sentAtMs)} without a reply. Since then a webhook arrived for this ` +
      'submission. Track the job to get its result; submitting again would run it twice.',
  };
}

export const rejected: TitledText = {
  title: 'The service rejected this job',
  text: 'Nothing was queued. The input is saved as you sent it; edit it, or submit it again.',
};

export const neverSent: TitledText = {
  title: 'Not sent: its connection was removed',
  text: 'This job was never sent, and Jobdeck will not send it, even when the connection is added again.',
};

/** A job whose connection was removed. */
export const noLongerTracked: TitledText = {
  title: 'This job is no longer tracked',
  text:
    'Its connection was removed. The service may still run the job, but Jobdeck will not save the result. To track ' +
    'it again, add the connection.',
};

/** What is known of such a job, apart from what its header shows. */
export const lastKnownText = {
  status: 'Last known status',
  asOf: (moment: string): string => `as of ${moment}`,
  baseUrl: 'Base URL',
};

export const purged: TitledText = {
  title: 'Removed from the queue before it ran',
  text: 'You purged the endpoint’s queue while the job was waiting. It did not run.',
};

/** A job of an endpoint that the service does not know. */
export function endpointNotKnown(endpointId: string): TitledText {
  return {
    title: `${endpointId} is not known to the service`,
    text:
      'The endpoint’s health returns 404 too: it was deleted or renamed, or the base URL is wrong. ' +
      'Everything known about the job is saved here.',
  };
}

/** A job of a sandbox that was restarted. */
export function lostBySandbox(hasInput: boolean): TitledText {
  return {
    title: 'Lost when the sandbox restarted',
    text:
      'The sandbox was restarted and forgot this job. ' +
      (hasInput ? 'Its input and what was received are saved here.' : 'What was received is saved here.'),
  };
}

/** A job whose ttl has passed, and how the ttl was used. */
export function ttlRanOut(endedAtMs: number, spent: { queuedMs: number; ranMs: number; ttlMs: number }): TitledText {
  const ttl = formatLimit(spent.ttlMs);
  return {
    title: `Deleted when its ttl ran out at ${formatMinute(endedAtMs)}`,
    text:
      spent.ranMs > 0
        ? `It had run for ${formatDuration(spent.ranMs)}. A ttl covers waiting and running together, and ` +
          `${formatDuration(spent.queuedMs)} of its ${ttl} went to waiting.`
        : `It never started: all of its ${ttl} went to waiting. A ttl covers waiting and running together.`,
  };
}

/** An id that was entered here and that the service does not know on this endpoint. */
export function idNotKnown(endpointId: string): TitledText {
  return {
    title: 'The service does not know this id',
    text:
      `It returns 404 for this job on ${endpointId}, while that endpoint is healthy. Most likely the ` +
      'job runs on another endpoint, or its result had expired before you tracked it.',
  };
}

export const noLongerKnown: TitledText = {
  title: 'The service no longer knows this job',
  text:
    'Its status returned 404 repeatedly while the endpoint was healthy: the job expired, or someone else ' +
    'removed it, before Jobdeck could save a final result. While a result may still exist, Jobdeck ' +
    'checks now and then; use Check now at any time. If the service knows the job, Jobdeck tracks it ' +
    'again.',
};

export const replyTooLarge: TitledText = {
  title: 'The service’s reply is too large to read',
  text:
    'Jobdeck reads replies of up to 64 MB that expand to at most 500 times their size. This one is larger; its ' +
    'beginning is saved under Output as the raw reply. Jobdeck will not download it again automatically. The job ' +
    'itself may have completed normally.',
};

/** What is saved on this computer. */
export const savedHereText = {
  chunks: (count: number): string => `${formatCountOf(count, 'chunk')} of output`,
  lastSeenOutput: 'the output as last seen',
  nothingOfExternal: 'Nothing saved here: it was submitted elsewhere',
  deleted: 'Your retention rule deleted what was saved here',
  output: (output: string): string => `Saved here: ${output}`,
  input: 'Saved here: the input',
  inputAndOutput: (output: string): string => `Saved here: the input, and ${output}`,
};

/** The buttons of the card, and what it shows of a ttl. */
export const outcomeCardText = {
  queued: (ms: number): string => `queued ${formatMeasured(ms)}`,
  ran: (ms: number): string => `ran ${formatMeasured(ms)}`,
  ttl: (ms: number): string => `ttl ${formatLimit(ms)}`,
};

export const outcomeActionNames = {
  confirm: 'Track it',
  'submit-again': 'Submit again',
  'resubmit-edits': commonText.resubmitWithEdits,
  'check-service': 'Check the service',
  cancel: 'Cancel job',
  'follow-at-other-endpoint': 'Track on another endpoint',
  'add-connection': 'Add the connection',
  'check-now': commonText.checkNow,
  'try-once-more': commonText.tryAgain,
  'open-output': 'Open partial output',
};

/** What a check of the service found. */
export const serviceCheckText = {
  checking: 'Checking…',
  healthy: (endpoints: number): string =>
    `The service answers: ${endpoints === 1 ? 'its endpoint is healthy' : `all ${endpoints} are healthy`}.`,
  broken: (broken: number, endpoints: number): string =>
    `${broken} of ${endpoints} endpoints did not answer correctly.`,
  noReply: 'no reply',
};

/** A title, and the sentences below it that say what it means for the job. */
export interface TitledText {
  title: string;
  text: string;
}
