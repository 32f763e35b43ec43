import { sendingTimeMs, submitLimits } from '../../../src-preload/batch.ts';
import { formatCount, formatCountOf, formatCredits, formatMinute, spanText } from '../../../src-preload/format.ts';
import type { SubmitOperation } from '../../../src-preload/job.ts';

/** The choice between one input and a batch. */
export const inputCountText = { label: 'How many inputs', one: 'One input', many: 'Many inputs' };

/** The field for many inputs. */
export const manyInputsText = {
  label: 'Inputs',
  usualColumns: 'Usual columns',
  placeholder: `{"prompt": "one object per line"}
{"prompt": "or an array: [{…}, {…}]"}

prompt,seed,sampling.max_tokens
or a table with a header,7,256

Paste here, drop files or a folder, or open files.`,
  format: 'Format',
  formats: { auto: 'Detect format', ndjson: 'NDJSON', json: 'JSON', csv: 'CSV' },
  acceptedFormats: 'NDJSON, a JSON array or CSV',
  formatChosen: 'chosen by you',
  allCellsAsText: 'All cells as text',
  pastedText: 'Pasted text',
  tooLong: 'Too long to edit here; it is sent unchanged.',
  openAgain: 'Open the file again after a restart.',
  remove: 'Remove',
  reading: 'Reading',
  noRows: 'No rows yet',
  validRows: (count: number): string => formatCountOf(count, 'valid row'),
  skipped: (count: number): string => `${formatCount(count)} skipped`,
  files: 'Files with inputs',
  openFiles: 'Open files',
  suggestions: 'Suggestions',
};

/** The first rows as they will be sent. */
export const rowPreviewText = {
  title: 'Preview',
  firstOf: (shown: number, rows: number): string => `first ${shown} of ${formatCount(rows)}`,
  table: 'Preview of the rows',
  row: 'Row',
  line: 'Line',
  input: 'Input',
  size: 'Size',
};

/** The rows that cannot be sent. */
export const rowProblemsText = {
  label: 'Invalid rows',
  line: (line: number): string => `Line ${formatCount(line)}`,
  more: (count: number): string => `and ${formatCount(count)} more`,
  stillReading: 'The rows are still being read',
  noRows: 'There are no rows to send',
  refused: 'Nothing was sent yet. The rows below are invalid: fix them, or submit the others without them.',
};

/** The batch's name, its duration, its cost and its limits. */
export const batchSectionText = {
  title: 'Batch',
  name: 'Batch name',
  unnamed: (nowMs: number): string => `Batch of ${formatMinute(nowMs)}`,
  rows: 'Rows',
  /** `3`, or `3 (9 jobs)` where rows have variables with several values. */
  rowsFor: (rows: number, jobs: number): string =>
    jobs === rows ? formatCount(rows) : `${formatCount(rows)} (${formatCountOf(jobs, 'job')})`,
  size: 'Size',
  sending: 'Sending',
  nothingToSend: 'nothing to send',
  doneIn: 'Done in',
  /** Null: not known. */
  doneInWith: (ms: number | null, workers: number): string =>
    ms === null ? '–' : `about ${spanText(ms)} with ${formatCountOf(workers, 'worker')}`,
  cost: 'Cost',
  /** Null: not known. */
  credits: (credits: number | null): string => (credits === null ? '–' : `about ${formatCredits(credits)} credits`),
  jobPerRow: 'Each row becomes a job, sent in order. Safe to pause, quit or restart.',
  jobsPerRow: 'Each row becomes a job for each value of its variables, sent in order. Safe to pause, quit or restart.',
};

/**
 * `about 20 s at 250 requests per 10 s`: the time until the last row is sent, by our share of the limit (ruling 21).
 * `sentWhen`: what it waits for, or null if it is sent now.
 */
export function sendingText(
  rows: number,
  operation: SubmitOperation,
  rateShare: number,
  sentWhen: string | null = null,
): string {
  const perWindow = Math.max(1, Math.floor(submitLimits[operation] * rateShare));
  const ms = sendingTimeMs(rows, perWindow);
  if (sentWhen !== null) return ms === 0 ? sentWhen : `${sentWhen}, about ${spanText(ms)}`;
  return ms === 0
    ? `immediately (limit ${formatCount(perWindow)} per 10 s)`
    : `about ${spanText(ms)} at ${formatCount(perWindow)} requests per 10 s`;
}

/** The name of a batch that the user did not name: its file, or else the time. */
export function defaultBatchName(fileName: string | null, nowMs: number): string {
  const plain = fileName?.replace(/\.[a-z0-9]{1,6}$/i, '').trim() ?? '';
  return plain === '' ? batchSectionText.unnamed(nowMs) : plain.slice(0, 120);
}
