import { maxMatches, type SteppedSearch } from '../stream/text-search.ts';
import { keyEnd, valueAt, type JsonIndex } from './json-index.ts';

/** Where to search: in keys, in values, or in both. */
export type FindScope = 'all' | 'keys' | 'values';

const windowChars = 65_536;

/** A search through the keys and values of a JSON text, ignoring case. */
export interface JsonFind extends SteppedSearch {
  /** The length of each hit in the text. An escaped character takes several. */
  readonly lengths: readonly number[];
  /** The value that contains each hit. */
  readonly nodes: readonly number[];
}

/** A stretch of the text. */
export interface TextRange {
  from: number;
  to: number;
}

/**
 * A search for `wanted` in keys, values or both, in all of the text or a stretch of it. It finds nothing until `step`
 * is called.
 */
export function createJsonFind(index: JsonIndex, wanted: string, scope: FindScope, within?: TextRange): JsonFind {
  const { text } = index;
  const textEnd = within?.to ?? text.length;
  const matches: number[] = [];
  const lengths: number[] = [];
  const nodes: number[] = [];
  const pattern = patternOf(wanted);
  const reach = wanted.length * 6;
  let at = within?.from ?? 0;
  const take = (place: number, length: number): void => {
    const node = valueAt(index, place);
    if (node === -1 || isInsideEscape(text, place)) return;
    const isKey = place < (index.valueStart[node] ?? 0);
    if (isKey ? place + length > keyEnd(index, node) : !isScalarAt(index, node, place, length)) return;
    if (scope !== 'all' && (scope === 'keys') !== isKey) return;
    matches.push(place);
    lengths.push(length);
    nodes.push(node);
  };
  return {
    matches,
    lengths,
    nodes,
    get isDone() {
      return wanted === '' || at >= textEnd || matches.length >= maxMatches;
    },
    step() {
      const windowEnd = Math.min(textEnd, at + windowChars);
      const part = text.slice(at, windowEnd + reach);
      let behind = windowEnd;
      pattern.lastIndex = 0;
      while (matches.length < maxMatches) {
        const found = pattern.exec(part);
        if (found === null || at + found.index >= windowEnd) break;
        take(at + found.index, found[0].length);
        behind = Math.max(windowEnd, at + pattern.lastIndex);
      }
      at = behind;
    },
  };
}

/** A pattern for the wanted text in JSON: each character plain or escaped. */
function patternOf(wanted: string): RegExp {
  const parts = Array.from({ length: wanted.length }, (_, at) => {
    const char = wanted.charAt(at);
    const unicode = `\\\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
    const escaped = JSON.stringify(char).slice(1, -1);
    const plain = literal(escaped === char || escaped.startsWith('\\u') ? char : escaped);
    return char === '/'
      ? `(?:\\\\?/|${unicode})`
      : char === '\\' || /[ -~]/.test(char)
        ? plain
        : `(?:${plain}|${unicode})`;
  });
  return new RegExp(parts.join(''), 'gi');
}

function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

/** True if a place is inside an escape such as `\n` or `\u00e9`. */
function isInsideEscape(text: string, place: number): boolean {
  for (let back = 1; back <= 5; back += 1) {
    if (text.charAt(place - back) !== '\\') continue;
    let slashes = 0;
    while (text.charAt(place - back - slashes) === '\\') slashes += 1;
    if (slashes % 2 === 1 && (back === 1 || /^u[\da-f]{0,3}$/i.test(text.slice(place - back + 1, place)))) return true;
    return false;
  }
  return false;
}

/** True if a hit is within a string, number or word, without its quotes. */
function isScalarAt(index: JsonIndex, node: number, place: number, length: number): boolean {
  const start = index.valueStart[node] ?? 0;
  const end = index.end[node] ?? 0;
  const char = index.text.charAt(start);
  if (char === '{' || char === '[') return false;
  const quotes = char === '"' ? 1 : 0;
  return place >= start + quotes && place + length <= end - quotes;
}

/** How many of ascending places are before `from`. */
export function countBefore(places: readonly number[], from: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
