import { formatCount, formatCountOf } from '../design/format.ts';
import { mostDistinct, type JsonColumn } from './json-table.ts';
import { kindBits, kindOf, type JsonIndex, type JsonKind } from './json-index.ts';

const kindNames: Readonly<Record<JsonKind, string>> = {
  object: 'object',
  array: 'array',
  string: 'string',
  number: 'number',
  word: 'item',
};

/** What an object or array has in it: `object, 5 keys`, `4,812 objects`, `3 items`. */
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

/** What a column has in it, in short: `40 to 218`, `212 distinct, 2 missing`. */
export function columnFacts({ range, kind, distinct, missing }: JsonColumn, rows: number): string {
  const isCapped = distinct >= mostDistinct;
  const values =
    kind === 'number' && range !== null
      ? range.least === range.most
        ? `all ${range.least}`
        : `${range.least} to ${range.most}`
      : distinct === 1 && missing < rows
        ? 'all the same'
        : `${formatCount(distinct)}${isCapped ? '+' : ''} distinct`;
  return missing === 0 ? values : `${values}, ${formatCount(missing)} missing`;
}
