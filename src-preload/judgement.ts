import type { z } from 'zod';
import { markText } from './messages/job.ts';
import type { judgementChange, mark } from './job-schema.ts';

/** How good a job's result is to the user: from 1 (bad) to 5 (good) (docs/decisions/045). */
export type Mark = z.infer<typeof mark>;

/** A change of a job's mark and label. Null removes one; what is absent stays. */
export type JudgementChange = z.infer<typeof judgementChange>;

export const marks = [1, 2, 3, 4, 5] as const satisfies readonly Mark[];
export const goodMark = 5 satisfies Mark;
export const badMark = 1 satisfies Mark;
export const maxLabelChars = 60;
/** A note longer than this is a document of its own. */
export const maxNoteChars = 100_000;

/** What the user says about a job's result. */
export interface Judgement {
  mark?: Mark;
  /** A short text, such as the job's class in a dataset. */
  label?: string;
  /** The first line of its note, where there is one; the whole is read with the job's detail. */
  noteLine?: string;
}

/** Characters of a note's first line that a list has of it. */
const maxNoteLineChars = 200;

/** The first line of a note with words in it, without a heading's signs; undefined for a note that is empty. */
export function noteLineOf(note: string): string | undefined {
  if (note.trim() === '') return undefined;
  const words = note.replace(/^[\t\n\r #]+/, '');
  const line = (words.split('\n', 1)[0] ?? '').trim();
  // Cut between two characters.
  const shown = line.slice(0, maxNoteLineChars);
  return line === '' ? '#' : shown.isWellFormed() ? shown : shown.slice(0, -1);
}

/** `good`, `bad`, or `4 of 5`. */
export function markWord(mark: Mark): string {
  if (mark === goodMark) return markText.good;
  return mark === badMark ? markText.bad : markText.of(mark, goodMark);
}

/** The judgement after a change. Absent values have no field. */
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
