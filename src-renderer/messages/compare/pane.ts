import { formatCount } from '../../../src-preload/format.ts';

/** The pane that compares jobs. A, B, C and D are the sides. */
export const compareText = {
  couldNotRead: 'Could not read the jobs',
  backToList: 'Back to the list',
  jobs: 'Compared jobs',
  secondAgainstFirst: 'B against A',
  blind: 'Titles, facts and inputs are hidden, so that only the outputs are judged.',
  pair: (at: number, total: number): string => `Pair ${formatCount(at)} of ${formatCount(total)}`,
  row: (row: number): string => `row ${formatCount(row)}`,
};

/** The toolbar above the comparison. */
export const comparisonBarText = {
  label: 'Comparison',
  /** Its actions in the palette. */
  heading: 'This comparison',
  leave: 'Close the comparison',
  shown: 'What is shown',
  /** Null: not counted yet. With room for two digits. */
  differences: (count: number | null): string => `Differences ${String(count ?? '').padEnd(2, '\u2007')}`,
  everything: 'Everything',
  arrangement: 'Arrangement',
  sideBySide: 'Side by side',
  inline: 'Inline',
  inlineNeedsTwo: 'Inline is for two jobs',
  previous: 'Previous difference',
  next: 'Next difference',
  /** `at` null: no difference is chosen. */
  place: (at: number | null, total: number): string => `${at ?? '–'} of ${total}`,
  addJob: 'Add a job',
  saveReport: 'Save report',
  stillComparing: 'Still comparing',
  swap: 'Swap',
};

/** Submitting A again with B's input. */
export const otherInputText = {
  resubmit: 'Resubmit A with B’s input',
  needsTwo: 'Needs two jobs',
  unknown: 'The input of B is not known here',
  same: 'Both have the same input',
  offer: 'Use B’s input',
  couldNotRead: 'Could not read the input of B.',
};

/** The search for another job to compare. */
export const addJobText = {
  title: 'Add a job to compare',
  search: 'Find a job',
  searchHint: 'Title, id, or a word of input or output',
  found: 'Jobs to add',
  noneFound: 'No other job matches.',
  couldNotSearch: (message: string): string => `Could not search the jobs. ${message}`,
};

/** One side of the comparison, named by its letter. */
export const sideText = {
  name: (letter: string): string => `Job ${letter}`,
  remove: (letter: string): string => `Remove ${letter}`,
  attempt: (number: number): string => `attempt ${number}`,
  baseline: 'The baseline: the others are compared with it',
  makeBaseline: (letter: string): string => `Compare the others with ${letter}`,
};

/** The judgement of a pair. */
export const judgeText = {
  label: 'Judge the pair',
  title: 'Judge',
  marking: 'marks both jobs',
  marksFirst: 'Marks A good and B bad. Undo restores both.',
  marksSecond: 'Marks B good and A bad. Undo restores both.',
  marksBoth: (mark: number, max: number): string => `Marks both ${mark} of ${max}. Undo restores both.`,
  firstBetter: 'A better',
  firstMarked: 'A marked good, B marked bad',
  equal: 'Equal',
  bothMarked: (mark: number, max: number): string => `A and B marked ${mark} of ${max}`,
  secondBetter: 'B better',
  secondMarked: 'A marked bad, B marked good',
  hideSettings: 'Hide settings',
  couldNotSave: (message: string): string => `Could not save the marks. ${message}`,
};

/** The label of the better job of a pair. */
export const betterLabelText = {
  field: 'Label of the better job',
  why: 'Why? Saved as the label of the better job',
  judgeFirst: 'Judge first, then say why',
  saved: 'Label saved',
  removed: 'Label removed',
  couldNotSave: (message: string): string => `Could not save the label. ${message}`,
};

/** The pairs of two batches. */
export const pairText = {
  previous: 'Previous pair',
  next: 'Next pair',
  isLast: 'This is the last pair',
};

/** `13 of 40 judged, B ahead 8 to 3`. `ahead`: how often A and B are better. */
export function pairTally({
  judged,
  total,
  ahead: [first, second],
}: {
  judged: number;
  total: number;
  ahead: readonly [number, number];
}): string {
  const progress = `${formatCount(judged)} of ${formatCount(total)} judged`;
  if (judged === 0) return progress;
  if (first === second) return `${progress}, ${first === 0 ? 'all equal' : `even at ${formatCount(first)} each`}`;
  const [letter, more, less] = first > second ? ['A', first, second] : ['B', second, first];
  return `${progress}, ${letter} ahead ${formatCount(more)} to ${formatCount(less)}`;
}
