import { valueText, type JsonIndex } from '../json-index.ts';
import { memberOf } from '../json-path.ts';

/**
 * A filter that selects, among the objects that `path` selects, those in which `key` has the value of `node` (a string,
 * number or word). Null if the last step of the path does not select items.
 */
export function narrowedFilter(path: string, key: string, index: JsonIndex, node: number): string | null {
  const from = lastStepStart(path);
  if (from === -1) return null;
  const before = path.slice(0, from);
  const last = path.slice(from).trim();
  const condition = `@${memberOf(key)} == ${valueText(index, node)}`;
  if (last === '[*]' || last === '.*') return `${before}[?${condition}]`;
  const filter = /^\[\s*\?(.*)\]$/s.exec(last)?.[1];
  return filter === undefined ? null : `${before}[?(${filter.trim()}) && ${condition}]`;
}

/** Where the last step of a path begins, ignoring steps inside brackets and strings. -1 if there is none. */
function lastStepStart(path: string): number {
  let start = -1;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < path.length; at += 1) {
    const char = path[at] ?? '';
    if (quote !== '') {
      if (char === '\\') at += 1;
      else if (char === quote) quote = '';
      continue;
    }
    if (char === '"' || char === "'") quote = char;
    else if (char === '[' || char === '(') {
      if (depth === 0 && char === '[') start = at;
      depth += 1;
    } else if (char === ']' || char === ')') depth -= 1;
    else if (char === '.' && depth === 0 && path[at - 1] !== '.') start = at;
  }
  return depth === 0 && quote === '' ? start : -1;
}
