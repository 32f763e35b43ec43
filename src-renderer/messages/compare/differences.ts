import { listed } from '../../../src-preload/messages/sentence.ts';
import { formatBytes, formatCount, formatCountOf, formatCredits } from '../../../src-preload/format.ts';

/** What is compared beside the facts. */
export const partNames: Readonly<Record<'input' | 'output', string>> = { input: 'Input', output: 'Output' };

/** The compared inputs or outputs. */
export const differencesText = {
  comparing: 'Comparing',
  shownOf: (shown: number, all: number): string =>
    `Only the first ${formatCount(shown)} of ${formatCount(all)} differences are shown.`,
  hideEqual: 'Hide equal values',
  /** `11 equal values: seed, model and 9 more`. */
  showEqual: (count: number, names: readonly string[]): string => {
    const more = count - names.length;
    const all = formatCountOf(count, 'equal value');
    if (names.length === 0) return all;
    return `${all}: ${names.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
  },
  /** A row for screen readers. */
  row: (name: string, isEqual: boolean): string => (isEqual ? `${name}, equal` : `${name}, differs`),
  changes: (count: number): string => formatCountOf(count, 'change'),
};

/** `3 of 14 values differ`, and which sides (`without`) have nothing to compare. */
export function differencesSummary(
  { differing, equal }: { differing: number; equal: number },
  without: readonly string[],
  part: 'input' | 'output',
): string {
  if (differing + equal === 0) return 'nothing saved';
  const verb = differing === 1 ? 'differs' : 'differ';
  const sum =
    differing === 0
      ? `equal, ${formatCountOf(equal, 'value')}`
      : `${formatCount(differing)} of ${formatCountOf(differing + equal, 'value')} ${verb}`;
  if (without.length === 0) return sum;
  return `${sum}; ${listed(without)} ${without.length === 1 ? 'has' : 'have'} no ${part}`;
}

/** A value of one side. */
export const valueText = {
  text: 'Text',
  notSet: 'not set',
  object: (keys: number): string => `object, ${formatCountOf(keys, 'key')}`,
  array: (items: number): string => `array, ${formatCountOf(items, 'item')}`,
  data: (chars: number, start: string): string => `data, ${formatBytes(chars)}: ${start}…`,
  equalLines: (lines: number): string => formatCountOf(lines, 'equal line'),
  isCut: 'Only the beginning is shown; open the job to read all of it.',
};

/** How the second value differs from the first. */
export const changeText = {
  reordered: 'different order',
  added: 'added',
  removed: 'removed',
  number: (change: number): string =>
    moreOrLess(Number(Math.abs(change).toPrecision(6)).toLocaleString('en-US', { maximumFractionDigits: 6 }), change),
  nearlyEqual: 'nearly equal',
  percent: (change: number): string => moreOrLess(`${Math.abs(change)} %`, change),
  times: (factor: number): string => `${Math.round(factor)} times`,
};

function moreOrLess(amount: string, change: number): string {
  return `${amount} ${change < 0 ? 'less' : 'more'}`;
}

/** The images of a row. */
export const imageText = {
  none: 'no image',
  overlay: 'Overlay',
  overlaid: (percent: number): string => `A with ${percent} % of B over it`,
  slider: 'B over A',
  blink: 'Blink',
};

/** The facts of each side. */
export const factsText = {
  title: 'Facts',
  summary: (differing: number, equal: number): string =>
    `${differing} ${differing === 1 ? 'differs' : 'differ'}, ${equal} equal`,
  status: 'Status',
  execution: 'Execution',
  inQueue: 'In queue',
  firstToken: 'First token',
  cost: 'Cost, estimated',
  credits: (credits: number): string => `${formatCredits(credits)} credits`,
  outputSize: 'Output size',
  worker: 'Worker',
  mark: 'Mark',
  label: 'Label',
  error: 'Error',
};

/** The comparison as a page. */
export const comparisonReportText = {
  title: (jobs: readonly string[]): string => `Comparison of ${jobs.slice(0, -1).join(', ')} and ${jobs.at(-1) ?? ''}`,
  jobs: 'Jobs',
  name: 'Name',
  job: 'Job',
  jobId: 'Job id',
  created: 'Created',
  attempt: 'Attempt',
  isCut: 'Only the beginning is shown.',
  image: (path: string, letter: string): string => `${path} of ${letter}`,
};
