import { formatCount } from '../../src-preload/format.ts';

/** The bar above an editor that finds and replaces a text in it. */
export const editorFindText = {
  find: 'Find',
  replaceWith: 'Replace with',
  matchCase: 'Match case',
  regexp: 'Regular expression',
  replace: 'Replace this match',
  replaceAll: 'Replace all matches',
  nothingToReplace: 'Enter what to find first',
  invalid: 'Not a valid expression',
  /** `at`: the place of the selected match, from 1, or 0. */
  found: (at: number, count: number, areMore: boolean): string => {
    if (count === 0) return 'No matches';
    const all = areMore ? `more than ${formatCount(count)}` : formatCount(count);
    return at === 0 ? `${all} found` : `${formatCount(at)} of ${all}`;
  },
};
