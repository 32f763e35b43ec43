import { listed } from '../../../src-preload/messages/sentence.ts';
import { formatBytes, formatCount, formatCountOf } from '../../../src-preload/format.ts';
import type { SubmitOperation } from '../../../src-preload/job.ts';
import type { LearnedKey } from '../../../src-preload/learned.ts';

/** The editor of one input. */
export const inputEditorText = {
  label: 'Input JSON',
  description: (isMac: boolean): string =>
    `Tab leaves the editor, or accepts a suggestion. ${isMac ? 'Command' : 'Ctrl'} ] indents.`,
  variable: 'Variable',
  format: 'Format',
  fixFirst: 'Fix the input first',
  cursor: (line: number, column: number): string => `Ln ${line}, Col ${column}`,
  noProblems: 'No problems',
  problems: (count: number): string => formatCountOf(count, 'problem'),
  discardEdits: 'Discard earlier edits',
};

/** A file that becomes a part of the input. */
export const attachText = {
  label: 'File to attach',
  attach: 'Attach file',
  fixFirst: 'Fix the input first, then attach the file.',
  couldNotRead: (name: string): string =>
    `Could not read ${name}. It may have been moved or changed since you chose it.`,
  otherDraft: (name: string): string => `${name} was not added, because the input it was for is no longer open.`,
  tooLarge: (name: string, bytes: number): string =>
    `${name} is ${megabytes(bytes)}; as base64 it is over the 20 MB that runsync accepts.`,
};

/** The request as a curl command. */
export const curlText = {
  title: 'cURL',
  withoutKey: 'key not included',
  copy: 'Copy cURL',
  fixFirst: 'Fix the errors first',
  fixAbove: 'Fix the errors above to see the command',
  /** While it is made. */
  pending: '…',
  job: (index: number, jobs: number): string => `job ${formatCount(index + 1)} of ${formatCount(jobs)}`,
  previous: 'Previous input',
  next: 'Next input',
};

/** The size of the body, compared with the limits of run and runsync. */
export const bodySizeText = {
  label: 'Body size',
  overBoth: (bytes: number): string => `${formatBytes(bytes)}, over both limits`,
  runsyncOnly: (bytes: number): string => `${formatBytes(bytes)}, runsync only`,
  either: (bytes: number): string => `${formatBytes(bytes)}, run or runsync`,
  limits: 'run 10, runsync 20 MB',
};

/** What is wrong with a draft, and hints that do not prevent sending. */
export const draftCheckText = {
  chooseEndpoint: 'Choose an endpoint',
  notJson: (line: number, column: number, reason: string): string => `Line ${line}, column ${column}: ${reason}`,
  variableName: 'A variable’s name begins with a letter, and has letters, digits, - and _ only.',
  mustBeObject: 'The input must be an object: { … }',
  emptyInput: 'An empty input is allowed, but some workers reject it.',
  ttlEndsFirst: 'The ttl ends before the execution timeout, so the service would delete the job while it runs.',
  waitBounds: 'Between 1 s and 5 min',
  executionTimeoutBounds: 'Must be between 5 s and 7 days',
  ttlBounds: 'Must be between 10 s and 7 days',
  needsDuration: 'Enter a duration, e.g. 20 min or 1 h',
  webhookAddress: 'The webhook must be an http or https address',
  tooLarge: (bytes: number, operation: SubmitOperation, limitBytes: number): string =>
    `${megabytes(bytes)}; ${operation} accepts less than ${megabytes(limitBytes)}`,
  tooLargeForRun: (bytes: number, limitBytes: number): string =>
    `${draftCheckText.tooLarge(bytes, 'run', limitBytes)}. runsync would accept it`,
};

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Keys and values of earlier inputs, offered while an input is typed. */
export const learnedText = {
  learnedFrom: (jobs: number): string => `Learned from ${formatCountOf(jobs, 'finished job')}`,
  howToInsert: 'Tab inserts the key and its value; Enter only the key.',
  countOf: (count: number, jobs: number): string => `${count} of ${jobs}`,
  columns: 'Columns of earlier inputs',
  keys: 'Keys of earlier inputs',
  about: (path: readonly string[], key: LearnedKey): string => `${path.join('.')}: ${keyText(key)}`,
};

/** `number, 0 to 12, mostly 6.5`: a summary of a key on one line. */
export function keyText({ types, range, values, count }: LearnedKey): string {
  const [first] = values;
  return [
    listed(types.slice(0, 2), 'or'),
    ...(range === null ? [] : [boundsText(range)]),
    ...(first === undefined || first.count < 2 || first.count * 2 < count ? [] : [`mostly ${first.json}`]),
  ].join(', ');
}

function boundsText({ min, max }: { min: number; max: number }): string {
  return min === max ? `always ${min}` : `${min} to ${max}`;
}

/** What was typed or pasted into the composer and then discarded or replaced. */
export const discardedText = {
  edits: 'Discarded the earlier edits.',
  /** `fileName`: null if the text was pasted. */
  inputs: (fileName: string | null): string => `Removed ${fileName ?? 'the pasted text'}.`,
  replacedByEarlier: 'Replaced the input with an earlier one.',
  replacedByOther: 'Replaced the input with the other one.',
  editedSince: 'Not restored: you have edited it since, and that would be lost.',
};
