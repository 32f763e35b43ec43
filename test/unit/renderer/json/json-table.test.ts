import { describe, expect, it } from 'vitest';
import { indexJson, valueText } from '../../../../src-renderer/json/json-index.ts';
import { cellAt, readTable, sortedRows, tablesIn } from '../../../../src-renderer/json/json-table.ts';
import { columnFacts } from '../../../../src-renderer/json/json-summaries.ts';
import { onOneLine, tableFile, type TableFormat } from '../../../../src-renderer/json/table-files.ts';
import { drained } from '../stream/drained.ts';

const text = JSON.stringify(
  {
    few: [{ a: 1 }, { a: 2 }],
    rows: [
      { sku: 'B', price: 10, tags: ['x', 'y'] },
      { sku: 'A', price: 9.5, note: '=1+1' },
      { sku: 'C', price: 'on request', 'unit price': null },
      { sku: 'A' },
    ],
    mixed: [{ a: 1 }, 2],
  },
  null,
  2,
);
const index = drained(indexJson(text));
const [rowsNode = -1, fewNode = -1] = drained(tablesIn(index));
const table = drained(readTable(index, rowsNode));
const skus = (column: number, isDescending: boolean): string[] =>
  Array.from(drained(sortedRows(index, table, { column, isDescending })), (row) => {
    const cells = [0, 1].map((at) => cellAt(table, row, at));
    return cells.map((node) => (node === -1 ? '-' : valueText(index, node).replaceAll('"', ''))).join(' ');
  });

describe('a table of an array of objects', () => {
  it('is offered for arrays of only objects, the longest first', () => {
    expect(drained(tablesIn(index))).toEqual([rowsNode, fewNode]);
    expect(index.members[rowsNode]).toBe(4);
  });

  it('has the keys as columns, with their types', () => {
    expect(table.columns).toEqual([
      { key: 'sku', kind: 'string', missing: 0, distinct: 3, range: { min: 1, max: 1 }, histogram: null },
      { key: 'price', kind: 'mixed', missing: 1, distinct: 3, range: null, histogram: null },
      { key: 'tags', kind: 'array', missing: 3, distinct: 1, range: { min: 2, max: 2 }, histogram: null },
      { key: 'note', kind: 'string', missing: 3, distinct: 1, range: { min: 4, max: 4 }, histogram: null },
      { key: 'unit price', kind: 'word', missing: 3, distinct: 1, range: null, histogram: null },
    ]);
  });

  it('counts the numbers in each twelfth of their range, the maximum in the last', () => {
    const numbers = [0, 0.99, 1, 6, 11.5, 12];
    const counted = drained(indexJson(JSON.stringify(numbers.map((n) => ({ n })))));
    expect(drained(readTable(counted, 0)).columns[0]?.histogram).toEqual([2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2]);
  });

  it('describes the values of a column in words', () => {
    const words = table.columns.map((column) => columnFacts(column, table.rows.length));
    expect(words).toEqual([
      '3 distinct, 1 long',
      '3 distinct, 1 missing',
      '2 items, 3 missing',
      'all the same, 3 missing',
      'all the same, 3 missing',
    ]);
  });

  it('is sorted by size or by text, rows without the key last either way, equal rows in their order', () => {
    expect(skus(1, false)).toEqual(['A 9.5', 'B 10', 'C on request', 'A -']);
    expect(skus(1, true)).toEqual(['C on request', 'B 10', 'A 9.5', 'A -']);
    expect(skus(0, false)).toEqual(['A 9.5', 'A -', 'B 10', 'C on request']);
    expect(skus(0, true)).toEqual(['C on request', 'B 10', 'A 9.5', 'A -']);
  });

  it('sorts a hundred thousand rows as Array.sort does', () => {
    const values = Array.from({ length: 100_000 }, (_, at) => (at * 7_919) % 100_003);
    const many = drained(indexJson(JSON.stringify(values.map((n) => ({ n })))));
    const order = drained(sortedRows(many, drained(readTable(many, 0)), { column: 0, isDescending: false }));
    expect(Array.from(order, (row) => values[row])).toEqual(values.toSorted((one, other) => one - other));
  });

  it('is saved as CSV, NDJSON and JSON, in the order shown', () => {
    const order = drained(sortedRows(index, table, { column: 0, isDescending: false }));
    const file = (format: TableFormat): string =>
      drained(tableFile(index, table, { order, shown: [0, 1, 2, 3, 4] }, format));
    expect(file('csv').split('\r\n')).toEqual([
      'sku,price,tags,note,unit price',
      "A,9.5,,'=1+1,",
      'A,,,,',
      'B,10,"[""x"",""y""]",,',
      'C,on request,,,',
      '',
    ]);
    const rows = file('ndjson').trimEnd().split('\n');
    expect(rows).toHaveLength(4);
    expect(rows[2]).toBe('{"sku":"B","price":10,"tags":["x","y"]}');
    expect(JSON.parse(file('json'))).toEqual(rows.map((row): unknown => JSON.parse(row)));
  });

  it('keeps the blanks inside strings when JSON is put on one line', () => {
    expect(onOneLine('{\n  "a b": "c \\" d\\n",\n "e": [1,\n 2]\n}')).toBe('{"a b":"c \\" d\\n","e":[1,2]}');
  });

  it('is saved with the shown columns', () => {
    const order = drained(sortedRows(index, table, { column: 0, isDescending: false }));
    const file = (format: TableFormat): string => drained(tableFile(index, table, { order, shown: [1, 2] }, format));
    expect(file('csv').split('\r\n').slice(0, 2)).toEqual(['price,tags', '9.5,']);
    expect(file('ndjson').split('\n')[2]).toBe('{"price":10,"tags":["x","y"]}');
    expect(JSON.parse(file('json'))).toHaveLength(4);
  });
});
