import type { LearnedKey } from '../../../src-preload/learned.ts';
import { formatCountOf } from '../../../src-preload/format.ts';

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

/** `Learned from 412 finished jobs`. */
export function learnedText(jobs: number): string {
  return `Learned from ${formatCountOf(jobs, 'finished job')}`;
}

/** How to insert a completion. */
export const takeText = 'Tab inserts the key and its value; Enter only the key.';
