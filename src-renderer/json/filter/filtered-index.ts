import type { Steps } from '../../stream/use-steps.ts';
import { indexJson, valueText, type JsonIndex } from '../json-index.ts';

const valuesAStep = 500;

/**
 * The values that a filter selected, as an array that is shown as a tree or a table. Each knows its place in the whole
 * text, so that a path copied from it is valid for the whole.
 */
export function* indexFound(whole: JsonIndex, nodes: Int32Array): Steps<JsonIndex> {
  const texts: string[] = [];
  for (const node of nodes) {
    texts.push(valueText(whole, node));
    if (texts.length % valuesAStep === 0) yield;
  }
  const found = yield* indexJson(`[${texts.join(',\n')}]`);
  return { ...found, origin: { whole, nodes } };
}
