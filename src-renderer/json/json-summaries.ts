import { formatCount, formatCountOf } from '../../src-preload/format.ts';
import { mostDistinct, type JsonColumn } from './json-table.ts';
import { kindBits, kindOf, type JsonIndex, type JsonKind } from './json-index.ts';

const kindNames: Readonly<Record<JsonKind, string>> = {
  object: 'object',
  array: 'array',
  string: 'string',
  number: 'number',
  word: 'item',
};

/** A summary of an object or array: `object, 5 keys`, `4,812 objects`, `3 items`. */
export function contentsOf(index: JsonIndex, node: number): string {
  const members = index.members[node] ?? 0;
  if (kindOf(index, node) === 'object')
    return members === 0 ? 'empty object' : `object, ${formatCountOf(members, 'key')}`;
  if (members === 0) return 'empty array';
  return formatCountOf(members, itemName(index, node));
}

function itemName(index: JsonIndex, node: number): string {
  const holds = index.holds[node] ?? 0;
  const kinds: readonly JsonKind[] = ['object', 'array', 'string', 'number'];
  const only = kinds.find((kind) => holds === kindBits[kind]);
  return only === undefined ? 'item' : kindNames[only];
}

/** A short summary of a column: `40 to 218`, `212 distinct, 12 to 41 long`, `1 to 6 items, 2 missing`. */
export function columnFacts(column: JsonColumn, rows: number): string {
  const { missing } = column;
  return missing === 0 || missing === rows
    ? valueFacts(column)
    : `${valueFacts(column)}, ${formatCount(missing)} missing`;
}

function valueFacts({ range, kind, distinct }: JsonColumn): string {
  const different = `${formatCount(distinct)}${distinct >= mostDistinct ? '+' : ''} distinct`;
  if (range === null) return distinct === 1 ? 'all the same' : different;
  const span = range.least === range.most ? String(range.least) : `${range.least} to ${range.most}`;
  switch (kind) {
    case 'number':
      return range.least === range.most ? `all ${span}` : span;
    case 'string':
      return distinct === 1 ? 'all the same' : `${different}, ${span} long`;
    case 'object':
      return `${span} ${range.most === 1 ? 'key' : 'keys'}`;
    case 'array':
      return `${span} ${range.most === 1 ? 'item' : 'items'}`;
    case 'word':
    case 'mixed':
      return different;
  }
}
