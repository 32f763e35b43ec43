import type { Steps } from '../../stream/use-steps.ts';
import { indexJson, valueText, type JsonIndex } from '../json-index.ts';

const valuesAStep = 500;

/**
 * The values that a filter found, as an array of their own to be shown as a tree or a table. Each knows where it stands
 * in the whole text, so that a path copied from it is a path of the whole.
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
