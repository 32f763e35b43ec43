import { listed } from './sentence.ts';
import { formatLongDay } from '../format.ts';

/** The word beside the glyph of each state. */
export const statusWords = {
  queue: 'In queue',
  run: 'In progress',
  done: 'Completed',
  fail: 'Failed',
  timeout: 'Timed out',
  cancel: 'Cancelled',
  gone: 'Gone',
  'too-large': 'Too large to read',
  'to-send': 'Waiting to send',
  submitting: 'Sending',
  refused: 'Refused',
  'outcome-unknown': 'Outcome unknown',
  orphaned: 'Orphaned',
  unknown: 'Unknown',
};

/** Why a job's input is not here. */
export const missingInputText = {
  external: 'It was submitted elsewhere, so its input is unknown here',
  forgotten: (atMs: number): string => `Your retention rule deleted its input on ${formatLongDay(atMs)}`,
};

/** Why the status of a job cannot be checked. */
export const notCheckedText = {
  finished: 'Its final status is saved here',
  unconfirmed: 'The service never confirmed it',
  connectionRemoved: 'Its connection was removed, so Jobdeck cannot ask the service',
  noId: 'There is no job id to check',
};

/** Why a job cannot be cancelled. */
export const notCancelledText = {
  cancelling: 'Cancelling; waiting for the service',
  streamLeft: 'The job is finished; only the rest of its stream is still being fetched',
  finished: 'The job is finished',
  submitting: 'Sending; you can cancel once the service answers',
  noId: 'Without an id from the service it cannot be cancelled',
  connectionRemoved: 'Its connection was removed, so Jobdeck cannot ask the service',
};

/** Why the ttl of a job cannot be extended. */
export const notExtendedText = 'Only an active job has a ttl to extend';

/** Why a job cannot be retried. `hasInput`: it can be resubmitted instead. */
export const notRetriedText = {
  isWaiting: 'A retry is waiting to be sent',
  tooLarge: (hasInput: boolean): string => `The service’s reply is too large to read${orResubmit(hasInput)}`,
  gone: (hasInput: boolean): string => `The job is gone from the service${orResubmit(hasInput)}`,
  notFailed: 'Only a failed or timed-out job can be retried',
  expired: (hasInput: boolean): string => `Its result has expired on the service${orResubmit(hasInput)}`,
  streamLeft: 'A retry would delete the rest of its stream on the service; stop waiting first',
};

function orResubmit(hasInput: boolean): string {
  return hasInput ? '; resubmit its saved input' : '';
}

/** Why a job cannot be deleted from the history. */
export const notDeletedText = {
  retryWaiting: 'A retry is waiting to be sent; cancel it first',
  streamLeft: 'The rest of its stream is still being fetched',
  waiting: 'It is waiting to be sent; cancel it first',
  submitting: 'It is still being sent; wait for the answer',
  active: 'It is still active; cancel it first',
  outcomeUnknown: 'Its outcome is unknown, so it may still be running',
};

/** The user's mark of a job. */
export const markText = {
  good: 'good',
  bad: 'bad',
  of: (mark: number, best: number): string => `${mark} of ${best}`,
};

/** The title of a job whose input is empty. */
export const emptyInputTitle = (endpointId: string): string => `${endpointId}: empty input`;

/** Below the title of a report. `moment` is markup. */
export const reportedAtText = (moment: string): string => `Report by Jobdeck, ${moment}`;

/** The frames of a traceback that are folded because they are not the user's own. */
export function hiddenFramesText(frames: number, packages: readonly string[]): string {
  const count = frames === 1 ? '1 frame' : `${frames} frames`;
  if (packages.length === 0) return `${count} hidden`;
  return packages.length <= 2
    ? `${count} inside ${listed(packages)} hidden`
    : `${count} inside ${packages[0] ?? ''} and ${packages.length - 1} other packages hidden`;
}
