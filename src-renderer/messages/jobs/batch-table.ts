import { formatCount, formatCountOf } from '../../../src-preload/format.ts';

/** The facts of a job that are columns of a batch. */
export type FactColumn = 'status' | 'wait' | 'execution' | 'cost' | 'mark' | 'label' | 'title' | 'id';

export const factColumnTitles: Readonly<Record<FactColumn, string>> = {
  status: 'Status',
  wait: 'Wait',
  execution: 'Execution',
  cost: 'Cost',
  mark: 'Mark',
  label: 'Label',
  title: 'Title',
  id: 'Id',
};

/** The columns of a batch, and one line about the values of each. */
export const batchColumnText = {
  row: 'Row',
  input: 'Input',
  output: 'Output',
  job: 'Job',
  distinct: (count: number, isCut: boolean): string => `${formatCount(count)}${isCut ? '+' : ''} distinct`,
  range: (min: string, max: string): string => (min === max ? `all ${min}` : `${min} to ${max}`),
  missing: (values: string, count: number): string => `${values}, ${formatCount(count)} missing`,
};

/** The rows of a batch as a table. */
export const batchTableText = {
  table: 'Rows of the batch',
  rowOrder: 'Row order',
  openJob: (row: string): string => `Open ${lowerFirst(row)}`,
  /** A row without a number of its own is called by its job. */
  row: (row: number): string => `Row ${formatCount(row)}`,
  noOutput: 'No output',
  /** By the user’s retention rule. */
  outputDeleted: 'Output deleted',
  inputDeleted: 'Input deleted',
  /** An output so long that its last values are not read for the table. */
  notRead: 'Not read: the output is too large. Open the job to see it.',
  copyCell: 'Copy value',
  copied: 'Value copied',
  moved: (rows: number): string => `${formatCountOf(rows, 'row')} changed. Sort again`,
  reading: (read: number, total: number): string => `${formatCount(read)} of ${formatCountOf(total, 'row')} read`,
  size: (rows: number, shown: number, columns: number): string => {
    const count = formatCountOf(columns, 'column');
    return `${formatCountOf(rows, 'row')}, ${shown === columns ? count : `${shown} of ${count}`}`;
  },
  couldNotRead: (problem: string): string => `Could not read the values of the rows. ${problem}`,
  columns: 'Columns',
  showUsual: 'Show the usual columns',
  usualShown: 'They are shown',
  /** A column that is hidden because it says nothing. */
  sameInAll: 'same in all rows',
  oneIsNeeded: 'One column has to be shown',
  stillReading: 'Rows are still being read',
  saveAs: 'Save as',
  saveAsFormat: (format: string): string => `Save as ${format}`,
};

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The rows of a batch as images. */
export const batchImagesText = {
  images: 'Images of the batch',
  size: 'Image size',
  order: 'Order',
  noImage: 'No image',
  addressOnly: 'Only an address. Open the job to see it.',
  damaged: 'The image is damaged',
  more: (count: number): string => `${formatCount(count)} images`,
  emptyTitle: 'No images in this batch',
  emptyHint: 'Images in the outputs of its rows appear here.',
  emptyYet: 'Images appear here as soon as rows complete.',
  showTable: 'Show the table',
};
