import { listed } from '../../../src-preload/messages/sentence.ts';
import {
  formatBytes,
  formatCount,
  formatCountOf,
  formatCredits,
  formatDuration,
  formatMinute,
  spanText,
} from '../../../src-preload/format.ts';

/** The values of each placeholder in the input. */
export const variablesText = {
  title: 'Variables',
  fileLabel: 'File with values',
  fileHint: 'A table with a column for each variable, or one value per line',
  fromFile: 'From a file',
  kinds: { one: 'One', list: 'List', range: 'Range' },
  kindOf: (name: string): string => `Values of ${name}: how many`,
  needsValue: 'Needs a value',
  valueOf: (name: string): string => `Value of ${name}`,
  value: 'Value',
  valuesOf: (name: string): string => `Values of ${name}`,
  addFirst: 'Add values, such as 901, 902',
  add: 'Add',
  remove: (value: string): string => `Remove ${value}`,
  more: (count: number): string => `and ${formatCount(count)} more`,
  range: { from: 'from', to: 'to', step: 'step' },
};

/** What is probably not meant, although it can be sent. */
export const variableWarningText = {
  sentLiterally: (name: string): string => `No value yet: {{${name}}} is sent literally`,
  quoted: (name: string, value: string): string =>
    `"{{${name}}}" is in quotes, so ${value.slice(0, 20)} is sent as text. ` +
    'Remove the quotes for a number or true/false',
  /** `jobs`: how many values are there already. */
  repeated: (name: string, value: string, jobs: number): string =>
    jobs === 1
      ? `{{${name}}} has “${value.slice(0, 40)}” twice, and both make a job`
      : `{{${name}}} has ${formatCountOf(jobs, 'value')} more than once, and each makes a job`,
};

/** Values of variables that were read from a file, or not. */
export const valuesFileText = {
  unchanged: 'The variables are unchanged.',
  tooLarge: (name: string, bytes: number, max: number): string =>
    `${name} is ${formatBytes(bytes)}. Jobdeck reads up to ${formatBytes(max)} of values.`,
  couldNotRead: (name: string): string =>
    `Could not read ${name}. It may have been moved or changed since you chose it.`,
  notText: (name: string): string => `${name} is not UTF-8 text.`,
  noColumn: (file: string, names: readonly string[]): string =>
    `${file} has no column named ${listed(names, 'or').slice(0, 200)} with values.`,
  read: (name: string): string => `Read ${name}.`,
  counts: (lists: readonly { name: string; list: readonly string[] }[]): string =>
    `${lists.map(({ name, list }) => `${formatCount(list.length)} of ${name}`).join(', ')}.`,
};

/** The inputs that variables make. */
export const gridText = {
  title: 'Grid',
  /** The name of a batch: `seed by steps, 14:32`. */
  batchName: (names: readonly string[], nowMs: number): string =>
    `${names.join(' by ').slice(0, 100)}, ${formatMinute(nowMs)}`,
  /** `6 values of seed by 4 of steps`. Empty if nothing varies. */
  varied: (variables: readonly { name: string; values: number }[]): string =>
    variables
      .map(({ name, values }, at) => `${formatCount(values)} ${at === 0 ? 'values ' : ''}of ${name}`)
      .join(' by '),
  jobs: 'jobs',
  credits: 'credits',
  about: (value: string): string => `about ${value}`,
  workers: (count: number): string => `with ${formatCountOf(count, 'worker')}`,
  oneBatch: 'Sent as one batch.',
  inputs: 'Inputs',
  /** The name of a cell: `seed 904, steps 28`. */
  cell: (parts: readonly { name: string; shown: string }[]): string =>
    parts.map(({ name, shown }) => `${name} ${shown}`).join(', '),
  isCut: 'Part of the grid. Use the preview’s arrows to see every input.',
};

/** `24 jobs, about 0.84 credits, 3 min`, as far as known. */
export function estimateText(jobs: number, { credits, ms }: { credits: number | null; ms: number | null }): string {
  return [
    formatCountOf(jobs, 'job'),
    ...(credits === null ? [] : [`about ${formatCredits(credits)} credits`]),
    ...(ms === null ? [] : [`${credits === null ? 'about ' : ''}${spanText(ms)}`]),
  ].join(', ');
}

/** What an estimate is based on, and what it lacks. */
export function basisText(estimate: {
  basis: { jobs: number; p50Ms: number } | null;
  missing: readonly (keyof typeof missingText)[];
}): string {
  const { basis, missing } = estimate;
  return [
    ...(basis === null
      ? []
      : [`From ${formatCountOf(basis.jobs, 'finished job')} at p50 ${formatDuration(basis.p50Ms)}.`]),
    ...missing.map((fact) => missingText[fact]),
  ].join(' ');
}

const missingText = {
  'run-times-unread': 'The run times of this endpoint have not been read yet, so time and cost are unknown.',
  'no-finished-job': 'No job of this endpoint has finished yet, so time and cost are unknown.',
  'rate-unread': 'The rates have not been read yet, so the cost is unknown.',
  'no-rate': 'Set a rate on the endpoint’s page to see the cost.',
  'workers-unread': 'The workers of this endpoint have not been read lately, so the time is unknown.',
};
