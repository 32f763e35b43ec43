import { decodeString } from '../../src-preload/json-spans.ts';
import type { Steps } from '../stream/use-steps.ts';
import { childrenOf, keyToken, kindOf, valueText, type JsonIndex } from '../json/json-index.ts';

/** The item whose field has this value. `json` is the value's text. */
export interface IdStep {
  field: string;
  json: string;
}

export interface MatchedItems {
  /**
   * The items of the first text in order, then those that only others have. Each with its number in every text, or -1.
   */
  items: { step: IdStep; nodes: number[] }[];
  /** The items that both have are in different orders. */
  isReordered: boolean;
}

/** Fields that may be an item's id, the most reliable first. */
const idFields = ['id', 'key', 'name'] as const;
const visitedAStep = 300;

/** The items of one array by their ids, in order. */
type ItemsOfSide = Map<string, { json: string; node: number }>;

/**
 * Matches the items of arrays by a field that every item has and that is unique, in small steps. Null if there is no
 * such field, or if all arrays have the same ids in the same order: then positions are simpler.
 */
export function* itemsById(
  texts: readonly (JsonIndex | null)[],
  arrays: readonly number[],
): Steps<MatchedItems | null> {
  const sides = texts.flatMap((index, side) => (index === null ? [] : [{ index, side, array: arrays[side] ?? -1 }]));
  if (sides.length < 2) return null;
  for (const field of idFields) {
    const found: { side: number; items: ItemsOfSide }[] = [];
    for (const { index, side, array } of sides) {
      const items = yield* idsOf(index, array, field);
      if (items === null) break;
      found.push({ side, items });
    }
    if (found.length === sides.length) return yield* match(found, field, texts.length);
  }
  return null;
}

function* idsOf(index: JsonIndex, array: number, field: string): Steps<ItemsOfSide | null> {
  const items: ItemsOfSide = new Map();
  let visited = 0;
  for (const node of childrenOf(index, array)) {
    visited += 1;
    if (visited % visitedAStep === 0) yield;
    const json = kindOf(index, node) === 'object' ? idOf(index, node, field) : null;
    if (json === null) return null;
    const id = json.startsWith('"') ? `"${decodeString(json)}` : json;
    if (items.has(id)) return null;
    items.set(id, { json, node });
  }
  return items;
}

/** Ids are among the first keys. Searching further would take long in items with many keys. */
const maxKeysSearched = 40;

function idOf(index: JsonIndex, item: number, field: string): string | null {
  let searched = 0;
  for (const child of childrenOf(index, item)) {
    searched += 1;
    if (searched > maxKeysSearched) return null;
    if (keyToken(index, child) !== `"${field}"`) continue;
    const kind = kindOf(index, child);
    return kind === 'string' || kind === 'number' ? valueText(index, child) : null;
  }
  return null;
}

function* match(
  sides: readonly { side: number; items: ItemsOfSide }[],
  field: string,
  count: number,
): Steps<MatchedItems | null> {
  const byId = new Map<string, { step: IdStep; nodes: number[] }>();
  const [first] = sides;
  let isSameOrder = true;
  let isReordered = false;
  for (const { side, items } of sides) {
    const firstIds = first?.items.keys();
    const shared = sharedIds(first?.items ?? items, items);
    let visited = 0;
    for (const [id, { json, node }] of items) {
      visited += 1;
      if (visited % visitedAStep === 0) yield;
      const known = byId.get(id) ?? { step: { field, json }, nodes: Array.from({ length: count }, () => -1) };
      known.nodes[side] = node;
      byId.set(id, known);
      if (firstIds?.next().value !== id) isSameOrder = false;
      if (first?.items.has(id) === true && shared.next().value !== id) isReordered = true;
    }
    if (items.size !== first?.items.size) isSameOrder = false;
  }
  return isSameOrder ? null : { items: [...byId.values()], isReordered };
}

/** The ids that both have, in the order of the first. */
function* sharedIds(first: ItemsOfSide, other: ItemsOfSide): Generator<string, undefined> {
  for (const id of first.keys()) if (other.has(id)) yield id;
}
