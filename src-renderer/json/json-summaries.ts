import { columnText, contentsText } from '../messages/json/values.ts';
import { maxDistinct, type JsonColumn } from './json-table.ts';
import { kindBits, kindOf, type JsonIndex } from './json-index.ts';

const itemKinds = ['object', 'array', 'string', 'number'] as const;

/** A summary of an object or array: `object, 5 keys`, `4,812 objects`, `3 items`. */
export function contentsOf(index: JsonIndex, node: number): string {
  const members = index.members[node] ?? 0;
  if (kindOf(index, node) === 'object') return members === 0 ? contentsText.emptyObject : contentsText.object(members);
  if (members === 0) return contentsText.emptyArray;
  const holds = index.holds[node] ?? 0;
  return contentsText.array(members, itemKinds.find((kind) => holds === kindBits[kind]) ?? 'item');
}

/** A short summary of a column: `40 to 218`, `212 distinct, 12 to 41 long`, `1 to 6 items, 2 missing`. */
export function columnFacts(column: JsonColumn, rows: number): string {
  const { missing } = column;
  const facts = valueFacts(column);
  return missing === 0 || missing === rows ? facts : columnText.missing(facts, missing);
}

function valueFacts({ range, kind, distinct }: JsonColumn): string {
  const different = columnText.distinct(distinct, distinct >= maxDistinct);
  if (range === null) return distinct === 1 ? columnText.allTheSame : different;
  const { min, max } = range;
  switch (kind) {
    case 'number':
      return columnText.numbers(min, max);
    case 'string':
      return distinct === 1 ? columnText.allTheSame : columnText.strings(min, max, different);
    case 'object':
      return columnText.objects(min, max);
    case 'array':
      return columnText.arrays(min, max);
    case 'word':
    case 'mixed':
      return different;
  }
}
