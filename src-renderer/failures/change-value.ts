import { decodeString } from '../../src-preload/json-spans.ts';
import { childrenOf, indexJson, keyToken, kindOf, type JsonIndex } from '../json/json-index.ts';

/**
 * Replaces one value in the objects of a JSON text and leaves everything else unchanged. `path` is the keys joined by
 * dots (`sampling.top_p`), `json` the new value's text. Null if the text has no value there.
 */
export function changeValue(text: string, path: string, json: string): string | null {
  const index = wholeIndex(text);
  const node = find(index, 0, path);
  return node === null ? null : text.slice(0, index.valueStart[node]) + json + text.slice(index.end[node]);
}

function wholeIndex(text: string): JsonIndex {
  const steps = indexJson(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** A key may contain dots, so every key that the path begins with is tried. */
function find(index: JsonIndex, holder: number, path: string): number | null {
  if (index.count === 0 || kindOf(index, holder) !== 'object') return null;
  for (const child of childrenOf(index, holder)) {
    const key = decodeString(keyToken(index, child) ?? '""');
    if (key === path) return child;
    const found = path.startsWith(`${key}.`) ? find(index, child, path.slice(key.length + 1)) : null;
    if (found !== null) return found;
  }
  return null;
}
