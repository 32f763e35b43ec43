import { decodeString } from '../../src-preload/json-spans.ts';
import { keyToken, positionOf, type JsonIndex } from './json-index.ts';

/** One step of a path: a key, or the position in an array. */
export type PathStep = string | number;

/** The path from the first value of the whole text to another one. */
export function stepsTo(index: JsonIndex, node: number): PathStep[] {
  const steps: PathStep[] = [];
  for (let at = node; (index.parent[at] ?? -1) !== -1; at = index.parent[at] ?? -1) {
    if (index.parent[at] === 0 && index.origin !== undefined) {
      const { whole, nodes } = index.origin;
      return [...stepsTo(whole, nodes[positionOf(index, at)] ?? 0), ...steps.reverse()];
    }
    const key = keyToken(index, at);
    steps.push(key === null ? positionOf(index, at) : decodeString(key));
  }
  return steps.reverse();
}

const plainName = /^[A-Za-z_]\w*$/;

/** A path in the syntax of JSONPath (RFC 9535): `$.products[1204]['unit price']`. */
export function jsonPathOf(steps: readonly PathStep[]): string {
  return `$${steps.map((step) => (typeof step === 'number' ? `[${step}]` : memberOf(step))).join('')}`;
}

/**
 * A typed JSONPath from the root. The `$` that begins each of them may be left out: `.price`, `price` and `[0]` mean
 * `$.price`, `$.price` and `$[0]`. Empty if nothing is typed.
 */
export function fromRoot(typed: string): string {
  const path = typed.trim();
  if (path === '' || path.startsWith('$')) return path;
  return path.startsWith('.') || path.startsWith('[') ? `$${path}` : `$.${path}`;
}

/** The step to a member in JSONPath: `.price`, `['unit price']`. */
export function memberOf(key: string): string {
  return plainName.test(key) ? `.${key}` : `[${quoted(key)}]`;
}

/** A path in the syntax of jq: `.products[1204]["unit price"]`. */
export function jqPathOf(steps: readonly PathStep[]): string {
  const path = steps
    .map((step) =>
      typeof step === 'number' ? `[${step}]` : plainName.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
    )
    .join('');
  return path.startsWith('.') ? path : `.${path}`;
}

/** A name in single quotes, as in JSONPath. */
function quoted(name: string): string {
  return `'${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
