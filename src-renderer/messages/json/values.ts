import { formatBytes, formatCount, formatCountOf } from '../../../src-preload/format.ts';

/** What an object or array contains. */
export const contentsText = {
  emptyObject: 'empty object',
  emptyArray: 'empty array',
  object: (keys: number): string => `object, ${formatCountOf(keys, 'key')}`,
  array: (count: number, of: keyof typeof itemNames): string => formatCountOf(count, itemNames[of]),
};

const itemNames = {
  object: 'object',
  array: 'array',
  string: 'string',
  number: 'number',
  /** Of several kinds, or true, false and null. */
  item: 'item',
};

/** The values of a column in a table. `least` and `most` are equal if all values are. */
export const columnText = {
  allTheSame: 'all the same',
  distinct: (count: number, isCut: boolean): string => `${formatCount(count)}${isCut ? '+' : ''} distinct`,
  numbers: (min: number, max: number): string => (min === max ? `all ${min}` : span(min, max)),
  strings: (min: number, max: number, distinct: string): string => `${distinct}, ${span(min, max)} long`,
  objects: (min: number, max: number): string => `${span(min, max)} ${max === 1 ? 'key' : 'keys'}`,
  arrays: (min: number, max: number): string => `${span(min, max)} ${max === 1 ? 'item' : 'items'}`,
  missing: (facts: string, count: number): string => `${facts}, ${formatCount(count)} missing`,
};

function span(min: number, max: number): string {
  return min === max ? String(min) : `${min} to ${max}`;
}

/** A row of the tree. */
export const treeRowText = {
  /** The items of a long array that one row stands for. */
  items: (first: number, last: number): string => `${formatCount(first)} to ${formatCount(last)}`,
  foldedImage: (bytes: number): string => `image, ${formatBytes(bytes)}`,
  foldedText: (bytes: number): string => `text, ${formatBytes(bytes)}`,
  hits: (count: number): string => formatCountOf(count, 'hit'),
  open: 'Open',
  copy: 'Copy',
};

/** `min −0.12, max 0.31, norm 1.00`: the figures of a long array of numbers. */
export function vectorText({ min, max, norm }: { min: number; max: number; norm: number }): string {
  return `min ${figure(min)}, max ${figure(max)}, norm ${figure(norm)}`;
}

/** Three significant digits, with a minus sign as wide as a plus. */
function figure(value: number): string {
  const size = Math.abs(value);
  const isPlain = size === 0 || (size >= 0.001 && size < 1_000_000);
  const text = isPlain
    ? size >= 1_000
      ? formatCount(Math.round(size))
      : Number(size.toPrecision(3)).toString()
    : size.toExponential(2);
  return value < 0 ? `−${text}` : text;
}
