import { formatBytes, formatCount, formatCountOf, formatLongDay } from '../../../src-preload/format.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { OutputTimes } from '../../../src-preload/settings.ts';
import { formatLimit } from './formats.ts';
import type { TitledText } from './outcome.ts';

/** The views of an output. */
export const outputViewNames = {
  text: 'Text',
  chunks: 'Chunks',
  images: 'Images',
  files: 'Files',
  transcript: 'Transcript',
  raw: 'JSON',
};
/** The view of images if there are sounds or videos among them. */
export const mediaViewName = 'Media';

/** The output tab and its toolbar. */
export const outputText = {
  notRead: 'Could not read the output',
  streamNotOpened: 'Could not open the stream',
  view: 'Output view',
  follow: 'Follow',
  following: 'Following',
  search: 'Search the output',
  showFormatted: 'Show formatted',
  showPlain: 'Show as plain text',
  save: 'Save output',
  openInEditor: 'Open output in your editor',
  json: 'Output JSON',
  firstChunks: (shown: number, all: number): string =>
    `The first ${formatCount(shown)} of ${formatCountOf(all, 'chunk')}. Copy output includes all of it.`,
};

/** The end of a text of which only the beginning is shown. */
export const cutText = {
  first: (shownBytes: number, allBytes: number): string =>
    `The first ${formatBytes(shownBytes)} of ${formatBytes(allBytes)}.`,
  reading: 'Reading',
  showAll: 'Show all',
};

/** The beginning of a reply that is too large to read. */
export const rawReplyText = {
  notRead: 'Could not read the raw reply',
  caption: (bytes: number): string => `Raw reply, the first ${formatBytes(bytes)}`,
  find: 'Find in the reply',
  reply: 'Raw reply',
};

/** What a view contains, beside the choice of the view. */
export const captionText = {
  tokens: (tokens: number): string => `${formatCount(tokens)} tokens`,
  /** After the tokens: " in 93 chunks". */
  inChunks: (chunks: string): string => ` in ${chunks}`,
  chunks: (count: number): string => formatCountOf(count, 'chunk'),
  files: (count: number): string => formatCountOf(count, 'file'),
  segments: (count: number): string => formatCountOf(count, 'segment'),
  addressesOnly: 'addresses only',
  /** The facts of an image, the most telling first: its pixels, its format, its size. */
  image: (image: { format: string; width: number | null; height: number | null; bytes: number }): string[] => {
    const { format, width, height, bytes } = image;
    return [...(width !== null && height !== null ? [`${width} × ${height}`] : []), format, formatBytes(bytes)];
  },
  imageOf: (number: number, count: number): string => `${formatCount(number)} of ${formatCount(count)}`,
  /** A fact after another one. */
  next: (fact: string): string => `, ${fact}`,
};

/** The times that can be shown beside a streamed output. */
export const timesNames: Readonly<Record<OutputTimes, string>> = {
  none: 'No times',
  'since-start': 'Time since start',
  clock: 'Clock time',
};

/** The display options of an output. */
export const viewMenuText = {
  options: 'View options',
  wrap: 'Wrap long lines',
  alwaysWraps: 'Formatted text always wraps',
  times: 'Times',
  noTimes: 'Only streamed output has times',
};

/** Below the causes, while the service may still have the output. */
export const lateOutputText =
  'Some services have the output only some time after the end. If it comes, Jobdeck saves it.';

/** Why there is no output, as a title and a sentence. */
export const noOutputTexts = {
  stillFetched: {
    title: 'Still being fetched',
    text:
      'The job has ended, but Jobdeck could not read its whole stream yet. The output appears here as soon as it ' +
      'arrives.',
  },
  replyTooLarge: {
    title: 'No output was saved',
    text: 'The service’s reply is larger than Jobdeck reads, so nothing of it was saved.',
  },
  completed: {
    title: 'Completed, no output returned',
    text: 'The service reports success and sent no result. Most likely one of these:',
  },
  formerAttempt: { title: 'This attempt has no output', text: 'It ended before returning anything.' },
  notSent: {
    title: 'Nothing to show yet',
    text: 'Output appears here once the job is sent and a worker returns something.',
  },
  queued: { title: 'Waiting for a worker', text: 'Output appears here as it arrives.' },
  running: {
    title: 'Running',
    text: 'The worker has sent nothing yet. Output appears here as it arrives, or all at once at the end.',
  },
  progressing: {
    title: 'Running',
    text: 'The worker reports progress; output appears here as it arrives, or all at once at the end.',
  },
  neverSent: { title: 'No output', text: 'This job was never sent, so nothing ran.' },
  notTracked: {
    title: 'No output',
    text: 'Jobdeck received none before the connection was removed.',
  },
  notConfirmed: { title: 'No output known', text: 'The service never confirmed this job.' },
  rejected: { title: 'No output', text: 'The service rejected the job, so nothing ran.' },
  gone: {
    title: 'No output was saved',
    text: 'The job was gone before Jobdeck received a result.',
  },
  cancelled: { title: 'Cancelled before any output', text: 'It was stopped before returning anything.' },
  failed: { title: 'No output', text: 'The job failed before returning anything.' },
};

/** A job that reached its execution timeout without output. */
export function timedOutText(limitMs: number): TitledText {
  return {
    title: 'Stopped at its execution timeout',
    text:
      `It ran longer than its ${formatLimit(limitMs)} limit and returned nothing before. Resubmit it with a longer ` +
      'executionTimeout if it needs more time.',
  };
}

/** An output that the user's retention rule deleted. */
export function outputDeletedText(atMs: number, hasInput: boolean): TitledText {
  return {
    title: 'Output deleted',
    text:
      `Your retention rule deleted it on ${formatLongDay(atMs)}. ` +
      (hasInput
        ? 'The input, the times and any error are still here, so you can resubmit the job.'
        : 'The times and any error are still here. The input is not, so the job cannot be resubmitted.'),
  };
}

/** Probable causes of COMPLETED without output, the most probable first (ruling 30). */
export function emptyOutputCauses(operation: Job['operation']): string[] {
  return [
    'The handler returned nothing: its last line has no return, or it returns null.',
    `The result was too large to send back${operation === 'run' ? '' : ' in one reply'}. Workers drop it and ` +
      'still report success; store it in a bucket (s3Config) and return its address.',
    'The handler streamed its output without returning the whole at the end, and another client read the chunks first.',
  ];
}
