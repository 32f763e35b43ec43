import type { z } from 'zod';
import type { judgementChange, mark } from './judgement-schema.ts';

/** How good a job's result is to its user, on one scale: 1 is bad, 5 is good (docs/decisions/045). */
export type Mark = z.infer<typeof mark>;

/** What becomes of a job's mark and label; null takes one away, and what is not given stays. */
export type JudgementChange = z.infer<typeof judgementChange>;

export const marks = [1, 2, 3, 4, 5] as const satisfies readonly Mark[];
export const goodMark = 5 satisfies Mark;
export const badMark = 1 satisfies Mark;
export const longestLabel = 60;
/** A note longer than this is a document of its own. */
export const longestNote = 100_000;

/** What the user says about a job's result; a job without a judgement has none of it. */
export interface Judgement {
  mark?: Mark;
  /** One word or a few, such as the class it belongs to in a dataset. */
  label?: string;
  /** The first line of its note, where there is one; the whole is read with the job's detail. */
  noteLine?: string;
}

/** Characters of a note's first line that a list has of it. */
const longestNoteLine = 200;

/** The first line of a note with words in it, without a heading's signs; undefined for a note that is empty. */
export function noteLineOf(note: string): string | undefined {
  if (note.trim() === '') return undefined;
  const words = note.replace(/^[\t\n\r #]+/, '');
  const line = (words.split('\n', 1)[0] ?? '').trim();
  // Cut between two characters.
  const shown = line.slice(0, longestNoteLine);
  return line === '' ? '#' : shown.isWellFormed() ? shown : shown.slice(0, -1);
}

/** `good`, `bad`, or `4 of 5`. */
export function markWord(mark: Mark): string {
  if (mark === goodMark) return 'good';
  return mark === badMark ? 'bad' : `${mark} of ${goodMark}`;
}

/** The judgement as a change left it: what has no value is not there. */
export function judgedAfter({ mark, label, noteLine }: Judgement, change: JudgementChange): Judgement {
  const after = {
    mark: change.mark === undefined ? mark : (change.mark ?? undefined),
    label: change.label === undefined ? label : (change.label ?? undefined),
  };
  return {
    ...(after.mark === undefined ? {} : { mark: after.mark }),
    ...(after.label === undefined || after.label === '' ? {} : { label: after.label }),
    ...(noteLine === undefined ? {} : { noteLine }),
  };
}
