import { formatCount, formatCountOf } from '../../../src-preload/format.ts';

/** The views of a JSON. */
export const jsonViewText = {
  showAs: 'Show as',
  table: 'Table',
  tree: 'Tree',
  raw: 'Raw',
  filter: 'Filter by JSONPath',
  tooManyValues: (max: number): string => `More than ${formatCount(max)} values: shown as plain text.`,
  nothingMatches: 'Nothing in this JSON matches the filter.',
  /** The values that the filter selects, where paths name the other tables. */
  found: 'What matches',
  objects: (count: number): string => formatCountOf(count, 'object'),
  /** A text without a key, as the title of its dialog. */
  value: 'Value',
  /** Where an address comes from, in the question before it is opened. */
  linkOwner: 'this JSON',
};

/** The search in keys and values. */
export const jsonSearchText = {
  label: 'Find in the JSON',
  scope: 'Find in',
  all: 'All',
  keys: 'Keys',
  values: 'Values',
};

/** What can be copied of a value, and what is shown when it was. */
export const jsonCopyText = {
  path: 'Path',
  copyPath: 'Copy path',
  copyJqPath: 'Copy path for jq',
  copyValue: 'Copy value',
  copyAsText: 'Copy value as text',
  copyAsJson: 'Copy value as JSON',
  copyKey: 'Copy key',
  copyRow: 'Copy row as JSON',
  more: 'More to copy',
  openAddress: 'Open address',
  pathCopied: 'Path copied',
  valueCopied: 'Value copied',
  keyCopied: 'Key copied',
  rowCopied: 'Row copied',
};

/** The filter above the values. */
export const jsonFilterText = {
  bar: 'Filter the JSON',
  language: 'JSONPath',
  label: 'JSONPath filter',
  example: '$.items[?@.price > 40]',
  save: 'Save what matches',
  nothingToSave: 'Nothing matches',
  clear: 'Clear the filter',
  found: (count: number, tookMs: number): string => `${formatCountOf(count, 'value')} · ${tookText(tookMs)}`,
  foundFirst: (count: number, tookMs: number): string => `First ${formatCount(count)} values · ${tookText(tookMs)}`,
};

function tookText(ms: number): string {
  return `${Math.max(1, Math.round(ms))} ms`;
}

/** Why a filter cannot run. `said` is the reason in the words of the parser. */
export const filterProblemText = {
  tooDeep: 'The JSON is nested too deeply for this filter.',
  notAPath: (reason: string): string => `Not a JSONPath: ${reason}.`,
  failed: (reason: string): string => `The filter failed: ${reason}.`,
};

/** An array of objects as a table. */
export const jsonTableText = {
  table: 'Table',
  index: 'Index',
  widthOf: (key: string): string => `Width of ${key}`,
  onlyRowsWith: (value: string): string => `Only rows with ${value.length > 24 ? `${value.slice(0, 24)}…` : value}`,
  showInTree: 'Show in tree',
  ascending: 'Ascending',
  descending: 'Descending',
  unsorted: 'Order of the JSON',
  fit: 'Fit to content',
  hide: 'Hide column',
  columns: 'Columns',
  showAllColumns: 'Show all columns',
  allAreShown: 'All are shown',
  oneIsNeeded: 'One column has to be shown',
  saveAs: 'Save as',
  saveAsFormat: (format: string): string => `Save as ${format}`,
  /** `1,204 objects, 3 of 8 columns, 2 more keys in the tree only`. */
  size: (rows: number, shown: number, columns: number, leftOut: number): string => {
    const count = formatCountOf(columns, 'column');
    return (
      `${formatCountOf(rows, 'object')}, ${shown === columns ? count : `${shown} of ${count}`}` +
      (leftOut > 0 ? `, ${formatCountOf(leftOut, 'more key')} in the tree only` : '')
    );
  },
};

/** The formats in which a table is saved. */
export const tableFormatNames = { csv: 'CSV', ndjson: 'NDJSON', json: 'JSON' };
