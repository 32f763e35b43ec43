import { formatClock, formatDay } from '../../../src-preload/format.ts';
import { markWord, type Mark } from '../../../src-preload/judgement.ts';
import type { CodeLanguage, JobRequestLanguage } from '../../../src-preload/request-code.ts';
import { countText } from '../common.ts';

/** The name of each language of code. */
export const languageNames: Readonly<Record<CodeLanguage | JobRequestLanguage, string>> = {
  curl: 'cURL',
  powershell: 'PowerShell',
  fetch: 'fetch',
  python: 'Python',
  'sdk-js': 'runpod-sdk',
  'sdk-python': 'Python',
};

/** A job's submission as code. */
export const requestCodeText = {
  title: 'Request as code',
  language: 'Language',
  copy: 'Copy code',
  code: 'Code',
  pending: 'The code is not made yet',
  keyNotIncluded:
    'The key is not included: set JOBDECK_KEY in the environment. An S3 secret is read from JOBDECK_S3_SECRET.',
};

/** The question how long a job may live from now on. */
export const extendText = {
  title: 'Extend lifetime',
  extend: 'Extend',
  extended: 'Lifetime extended',
  whatHappens:
    'The ttl restarts now. It covers waiting and running together; when it ends, the service deletes the job ' +
    'whatever its state.',
  newTtl: 'New ttl',
  halfHour: '30 minutes',
  hour: '1 hour',
  sixHours: '6 hours',
  day: '24 hours',
  week: '7 days',
  ends: (atMs: number, nowMs: number): string => `ends ${formatDay(atMs, nowMs)}, ${formatClock(atMs)}`,
};

/** The mark and the label of jobs. */
export const judgeText = {
  title: (jobs: number): string => (jobs > 1 ? `Mark and label ${countText.jobs(jobs)}` : 'Mark and label'),
  mark: 'Mark',
  markButton: (mark: Mark): string => `${mark} ${markWord(mark)}`,
  label: 'Label',
  labelExample: 'blurry, train, reviewed',
  labelHint: 'Filter with label:name and mark:good. Press 1 to 5 to mark, 0 to remove the mark.',
  labelTooLong: (maxChars: number): string => `A label has at most ${maxChars} characters`,
  knownLabels: 'Known labels',
  save: 'Save',
};

/** What changed of `count` jobs: undefined for what did not, null for what was removed. */
export function judgedText(count: number, { mark, label }: { mark?: Mark | null; label?: string | null }): string {
  const jobs = count === 1 ? 'this job' : countText.jobs(count);
  if (mark === undefined) return typeof label === 'string' ? `Labelled ${jobs} ${label}` : `Label removed from ${jobs}`;
  const marked = mark === null ? `Mark removed from ${jobs}` : `Marked ${jobs} ${markWord(mark)}`;
  if (label === undefined) return marked;
  return label === null ? `${marked}, label removed` : `${marked}, labelled ${label}`;
}

/** The tags of a job, or those that several jobs share. */
export const tagsText = {
  title: (jobs: number): string => (jobs === 1 ? 'Tags' : `Tags of ${countText.jobs(jobs)}`),
  saved: (jobs: number): string => (jobs === 1 ? 'Tags saved' : `Tags of ${countText.jobs(jobs)} saved`),
  tags: 'Tags',
  example: 'nightly, seed 7744',
  hint: 'Separate with commas. Filter with tag:name.',
  sharedHint: 'Shared by these jobs. Separate with commas. Other tags of a job stay.',
  known: 'Known tags',
  save: 'Save tags',
};

/** The field in which a job is renamed. */
export const renameText = { title: 'Title' };
