import { csvField } from '../../src-preload/write-csv.ts';
import { closedStringEnd, decodeString } from '../../src-preload/json-spans.ts';
import type { Steps } from '../stream/use-steps.ts';
import { kindOf, valueText, type JsonIndex } from './json-index.ts';
import { cellAt, type JsonTable } from './json-table.ts';

/** A file format for tables. */
export type TableFormat = 'csv' | 'ndjson' | 'json';

export const tableTypes: Readonly<Record<TableFormat, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
};

const rowsAStep = 40;

/** The rows of a table in the order shown, with the visible columns, as the text of a file. */
export function* tableFile(
  index: JsonIndex,
  table: JsonTable,
  { order, shown }: { order: Uint32Array; shown: readonly number[] },
  format: TableFormat,
): Steps<string> {
  const lines: string[] = [];
  // With all columns visible, the objects are saved unchanged: they may have more keys than the table.
  const isWhole = shown.length === table.columns.length;
  if (format === 'csv') lines.push(shown.map((column) => csvField(table.columns[column]?.key ?? '')).join(','));
  for (const [at, row] of order.entries()) {
    if (format === 'csv') lines.push(shown.map((column) => csvCell(index, cellAt(table, row, column))).join(','));
    else if (isWhole) lines.push(onOneLine(valueText(index, table.rows[row] ?? 0)));
    else lines.push(shownObject(index, table, row, shown));
    if (at % rowsAStep === 0) yield;
  }
  switch (format) {
    case 'csv':
      return `${lines.join('\r\n')}\r\n`;
    case 'ndjson':
      return lines.map((line) => `${line}\n`).join('');
    case 'json':
      return `[\n${lines.join(',\n')}\n]\n`;
  }
}

function shownObject(index: JsonIndex, table: JsonTable, row: number, shown: readonly number[]): string {
  const members = shown.flatMap((column) => {
    const node = cellAt(table, row, column);
    const key = JSON.stringify(table.columns[column]?.key ?? '');
    return node === -1 ? [] : [`${key}:${onOneLine(valueText(index, node))}`];
  });
  return `{${members.join(',')}}`;
}

function csvCell(index: JsonIndex, node: number): string {
  if (node === -1) return '';
  const text = valueText(index, node);
  switch (kindOf(index, node)) {
    case 'string':
      return csvField(decodeString(text));
    case 'number':
      return text;
    case 'word':
      return text === 'null' ? '' : text;
    case 'object':
    case 'array':
      return csvField(onOneLine(text));
  }
}

/** JSON without white space between its parts. */
export function onOneLine(text: string): string {
  if (!/[\n\r]/.test(text)) return text;
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const upTo = quote === -1 ? text.length : quote;
    parts.push(text.slice(at, upTo).replaceAll(/\s+/g, ''));
    if (quote === -1) break;
    const end = closedStringEnd(text, quote);
    at = end === -1 ? text.length : end;
    parts.push(text.slice(quote, at));
  }
  return parts.join('');
}
