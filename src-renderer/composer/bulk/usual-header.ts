import type { LearnedInputs } from '../../../src-preload/learned.ts';

const maxColumns = 12;

/** `prompt,sampling.max_tokens`: a header row of the keys that most earlier inputs had. Empty if none is known. */
export function usualHeader({ keys, jobs }: Pick<LearnedInputs, 'jobs' | 'keys'>): string {
  return keys
    .filter(({ path, types, count }) => !types.includes('object') && count * 2 >= jobs && path.every(isColumnName))
    .slice(0, maxColumns)
    .map(({ path }) => path.join('.'))
    .join(',');
}

/** Whether a key needs no quotes in a header row and has no dot, which would divide it. */
export function isColumnName(name: string): boolean {
  return /^[^\s.,;"]+$/.test(name);
}
