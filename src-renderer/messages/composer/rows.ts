import { formatCount } from '../../../src-preload/format.ts';
import { asSentence } from '../../../src-preload/messages/sentence.ts';

/** The detected format of a text, with the reason. */
export const formatText = {
  array: 'JSON array: it starts with [',
  ndjson: 'NDJSON: one object per line',
  objects: 'JSON: objects over several lines',
  oneColumn: 'CSV with a header: one column',
  columns: (count: number, delimiter: keyof typeof delimiterNames): string =>
    `CSV with a header: ${count} columns, ${delimiterNames[delimiter]}`,
};

const delimiterNames = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' };

/** Why a row is not a valid input. */
export const rowText = {
  notJson: 'This is not JSON.',
  notJsonAt: (column: number, reason: string): string => `Column ${column}: ${asSentence(reason)}`,
  notJsonAtLine: (line: number, column: number, reason: string): string =>
    `Line ${line} of it, column ${column}: ${asSentence(reason)}`,
  notObject: (found: keyof typeof jsonTypes): string =>
    `An input must be an object, such as {"prompt": "…"}; this is ${jsonTypes[found]}.`,
  inLine: (line: number, problem: string): string => `Line ${formatCount(line)}: ${problem}`,
  tooManyJobs: (jobs: number, max: number): string =>
    `These rows make ${formatCount(jobs)} jobs. A batch has at most ${formatCount(max)}`,
};

const jsonTypes = { list: 'a list', null: 'null', string: 'a string', number: 'a number', boolean: 'a boolean' };

/** What is wrong with an array of objects. */
export const arrayText = {
  textAfterEnd: 'There is text after the end of the array.',
  strayComma: 'There is a comma with nothing before it.',
  missingComma: 'A comma is missing before this object. The row is used anyway.',
  neverEnds: (reason: string): string => `This starts here and never ends. ${reason}`,
  notClosed: 'The array is not closed: the ] at the end is missing. The objects before it are complete.',
};

/** What is wrong with a table. */
export const tableText = {
  quoteNotClosed: 'A quoted cell is not closed: the closing " is missing.',
  textAfterQuote: (cell: number): string =>
    `There is text after the closing " of cell ${cell}. Inside quotes, write " as "".`,
  noName: (column: number): string => `Column ${column} has no name in the header row.`,
  strayDot: (name: string): string => `"${name}" in the header row has a dot with nothing before or after it.`,
  insideColumn: (name: string, column: string): string =>
    `"${name}" in the header row is inside "${column}", which is a column itself.`,
  twice: (name: string): string => `"${name}" appears twice in the header row.`,
  hasColumnsInside: (name: string): string =>
    `"${name}" in the header row is a column, and other columns are inside it.`,
  cellCount: (cells: number, columns: number): string =>
    `This row has ${cells} ${cells === 1 ? 'cell' : 'cells'}; the header has ${columns}.`,
};
