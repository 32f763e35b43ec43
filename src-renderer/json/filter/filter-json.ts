import { JSONPathEnvironment, JSONPathError, type JSONValue } from 'json-p3';
import { decodeString } from '../../../src-preload/json-spans.ts';
import { filterProblemText } from '../../messages/json/view.ts';
import { maxFound, type FilterAnswer } from './filter-answer.ts';
import { childrenOf, indexJson, keyToken, kindOf, type JsonIndex } from '../json-index.ts';
import type { PathStep } from '../json-path.ts';

/** Deeper than any real output. A filter with `..` stops there, so that it does not exceed the stack. */
const deepestVisit = 1_500;

/**
 * Parses one complete JSON text, and returns the values that a JSONPath (RFC 9535) selects in it, in order. Never
 * throws. Of duplicate keys in an object the last value is used.
 */
export function createJsonFilter(text: string): (path: string) => FilterAnswer {
  const environment = new JSONPathEnvironment({ maxRecursionDepth: deepestVisit });
  const index = drained(text);
  const nodeOf = createNodeFinder(index);
  let parsed: { value: JSONValue } | null = null;
  return (path) => {
    try {
      const query = environment.compile(path.trim());
      parsed ??= { value: JSON.parse(text) };
      const nodes: number[] = [];
      for (const { location } of query.lazyQuery(parsed.value)) {
        if (nodes.length === maxFound) return { kind: 'found', nodes: Int32Array.from(nodes), isCut: true };
        const node = nodeOf(location);
        if (node !== -1) nodes.push(node);
      }
      return { kind: 'found', nodes: Int32Array.from(nodes), isCut: false };
    } catch (error) {
      return { kind: 'problem', message: problemOf(error) };
    }
  };
}

function problemOf(error: unknown): string {
  if (error instanceof RangeError) return filterProblemText.tooDeep;
  if (error instanceof JSONPathError) return filterProblemText.notAPath(error.message);
  return filterProblemText.failed(error instanceof Error ? error.message : String(error));
}

function drained(text: string): JsonIndex {
  const steps = indexJson(text);
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

/** Finds the number of the value at a path, starting from the first value. -1 if there is none. */
function createNodeFinder(index: JsonIndex): (steps: readonly PathStep[]) => number {
  /** The items of each array that was visited, because most results are items of the same array. */
  const itemsOf = new Map<number, Int32Array>();
  const item = (holder: number, place: number): number => {
    let items = itemsOf.get(holder);
    if (items === undefined) {
      items = Int32Array.from(childrenOf(index, holder));
      itemsOf.set(holder, items);
    }
    return items[place] ?? -1;
  };
  const member = (holder: number, key: string): number => {
    let found = -1;
    for (const child of childrenOf(index, holder))
      if (decodeString(keyToken(index, child) ?? '""') === key) found = child;
    return found;
  };
  return (steps) => {
    let node = index.count === 0 ? -1 : 0;
    for (const step of steps) {
      if (node === -1) break;
      const isArray = kindOf(index, node) === 'array';
      node = typeof step === 'number' && isArray ? item(node, step) : member(node, String(step));
    }
    return node;
  };
}
