import { formatCountOf } from '../../../src-preload/format.ts';
import type { LearnedKey } from '../../../src-preload/learned.ts';

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
    types.slice(0, 2).join(' or '),
    ...(range === null ? [] : [boundsText(range)]),
    ...(first === undefined || first.count < 2 || first.count * 2 < count ? [] : [`mostly ${first.json}`]),
  ].join(', ');
}

function boundsText({ least, greatest }: { least: number; greatest: number }): string {
  return least === greatest ? `always ${least}` : `${least} to ${greatest}`;
}
