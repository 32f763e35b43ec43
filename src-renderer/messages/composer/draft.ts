// What the palette and other panes load, too. All other words of the composer are loaded with it.
import { formatCount, formatCountOf } from '../../../src-preload/format.ts';

/** What happened to a preset, above the input. */
export const presetNoticeText = {
  unchanged: 'The preset is unchanged.',
  saved: (name: string): string => `Saved the preset ${name}.`,
  savedOver: (name: string): string => `Saved over ${name}.`,
  deleted: (name: string): string => `Deleted the preset ${name}.`,
  loaded: (name: string): string => `Loaded the preset ${name}.`,
  rowsUnchanged: 'Its variables, policy, tags and webhook apply. The rows are unchanged.',
  inputUnchanged: 'The input is unchanged.',
  needsObjects: 'Both inputs must be valid JSON objects before they can be merged.',
  merged: (keys: number, name: string): string => `Merged ${formatCountOf(keys, 'key')} of ${name}.`,
};

/** Why a draft cannot be saved as a preset. */
export const presetProblemText = {
  tooLong: (max: number, length: number): string =>
    `A preset saves inputs of up to ${formatCount(max)} characters; this one has ` +
    `${formatCount(length)}. Remove attached files, and attach them again after loading it.`,
  tooMany: (max: number): string => `Jobdeck saves up to ${max} presets. Delete one first.`,
};

/** A job's input is opened that was edited before. */
export const openedInputText = { earlierEditsOpen: 'Your earlier edits of this input are open.' };

/** What is wrong with the values of a variable, or with the jobs that they make. */
export const variableProblemText = {
  tooManyValues: (max: number): string => `At most ${formatCount(max)} values`,
  needsNumbers: 'Enter numbers such as 20 and 32, or 0.5 and 1',
  zeroStep: 'The step must be a number other than 0',
  notJson: (value: string): string => `${value} is not valid JSON`,
  giveValue: (name: string): string => `Give {{${name}}} a value`,
  ofVariable: (name: string, problem: string): string => `{{${name}}}: ${problem}`,
  tooManyJobs: (jobs: number, max: number): string =>
    `These variables make ${formatCount(jobs)} jobs. A batch has at most ${formatCount(max)}`,
  tooLarge: (inputs: number): string => `${formatCount(inputs)} inputs of this size are over 400 MB together`,
};
