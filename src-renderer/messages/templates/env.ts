import { formatCountOf } from '../../../src-preload/format.ts';

/** The variables of a template. */
export const envEditorText = {
  paste: 'Paste .env',
  add: 'Variable',
  valuesLost:
    'The values of these variables were only kept for an earlier session. To send them, enter all of them again, or ' +
    'load the template from a pod.',
  replacesAll: 'The template’s variables are unknown. They are sent as a whole: these replace all existing ones.',
  enteredLost: (names: readonly string[]): string =>
    `Values entered for ${names.join(', ')} were only kept for an earlier session. Enter them again.`,
  pasteLost: 'A pasted .env file was only kept for an earlier session. Paste it again.',
  notKnown: 'Not known',
  none: 'No variables',
  removed: 'removed',
  restore: (name: string): string => `Restore ${name}`,
};

/** A variable in its line. */
export const envLineText = {
  /** Instead of the name, where it is empty. */
  unnamed: (line: number): string => `variable ${line}`,
  name: (variable: string): string => `Name of ${variable}`,
  namePlaceholder: 'NAME',
  value: (variable: string): string => `Value of ${variable}`,
  valuePlaceholder: 'value',
  hidden: 'hidden',
  asItWas: 'as it was',
  changed: 'changed',
  new: 'new',
  keep: (name: string): string => `Keep ${name} as it is`,
  change: (name: string): string => `Change ${name}`,
  hide: (variable: string): string => `Hide ${variable}`,
  reveal: (variable: string): string => `Reveal ${variable}`,
  remove: (variable: string): string => `Remove ${variable}`,
};

/** The dialog that imports a .env file. */
export const envPasteText = {
  title: 'Paste a .env file',
  field: 'Text of the .env file',
  example: '# comments, export and quotes are read\nMODEL_ID=atlas/whisper-large-v3\nHF_TOKEN="hf_…"',
  nothingFound: 'No variables found yet',
  import: (count: number): string => (count === 0 ? 'Import' : `Import ${formatCountOf(count, 'variable')}`),
  adds: 'Adds',
  changes: 'Changes',
  notRead: 'Not read',
  problem: (line: number, message: string): string => `Line ${line}: ${message}.`,
  more: (count: number): string => `And ${count} more.`,
  othersStay: 'Variables not in the file stay unchanged.',
};

/** Why a line of a .env file cannot be read. The full stop is added where it is shown. */
export const envFileText = {
  noAssignment: 'No NAME=value in this line',
  openQuote: (name: string): string => `The quote that opens the value of ${name} is not closed`,
  textAfterQuote: (name: string): string => `There is text after the closing quote of ${name}`,
};

/** Shown instead of a hidden value. Always the same number of dots, so that they do not reveal its length. */
export const dots = '••••••••••••';
