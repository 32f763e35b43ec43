import { decodeString } from '../../src-preload/json-spans.ts';
import type { Steps } from '../stream/use-steps.ts';
import { childrenOf, keyToken, kindOf, valueText, type JsonIndex, type JsonKind } from '../json/json-index.ts';
import { itemsById, type IdStep } from './array-ids.ts';
import { memberOf, type PathStep } from '../json/json-path.ts';

/** A value in one of the JSON texts. `text` is unchanged, so that a number keeps every digit. */
export interface PlacedValue {
  kind: JsonKind;
  text: string;
  /** How many keys or items it has. */
  members: number;
}

/** The values at one path, side by side. */
export interface DiffRow {
  path: string;
  /** Null: this text has no value there. */
  values: (PlacedValue | null)[];
  isEqual: boolean;
  /** The numbers of these values in their texts, or -1. */
  nodes: readonly number[];
  /** Its path names an item by its id, so that it may have another position in each text. */
  isById: boolean;
  /** An array whose items, matched by their ids, are in another order. */
  isReordered: boolean;
}

export interface JsonDiff {
  /** In the order of the first text, at most `maxRows` of each kind. */
  rows: DiffRow[];
  differing: number;
  equal: number;
}

export const maxRows = 500;
const visitedAStep = 300;
/** The path of a deeper place shows only its beginning and its end. */
const deepestNamed = 24;

/** A place on the way down, linked to the one above. Paths are only written for what is shown. */
interface Place {
  above: Place | null;
  step: Step;
  depth: number;
  isById: boolean;
}

type Step = PathStep | IdStep;

/** Null: a side without a text, which is left out of the comparison. */
type SideTexts = readonly (JsonIndex | null)[];

/** The same place in every text, or -1. */
interface Level {
  nodes: readonly number[];
  place: Place | null;
}

/** An object or array that is in all texts, and how far it has been compared. */
type Open = { next: () => Level | null };

/**
 * Compares JSON texts of any size and depth value by value, by their paths, in small steps. Objects are compared by
 * key; arrays by the ids of their items if all have one, otherwise by position. A value that is missing in one text, or
 * of another kind, is one difference. Null: a side without a text; the others are still compared.
 */
export function* diffJson(texts: SideTexts): Steps<JsonDiff> {
  const diff: JsonDiff = { rows: [], differing: 0, equal: 0 };
  const open: Open[] = [];
  let level: Level | null = { nodes: texts.map((index) => (index === null ? -1 : 0)), place: null };
  for (let visited = 1; ; visited += 1) {
    if (visited % visitedAStep === 0) yield;
    if (level === null) {
      open.pop();
    } else {
      const kind = sharedKind(texts, level.nodes);
      // Two empty ones are equal, as equal words are.
      if (kind === null || !hasMembers(texts, level.nodes, kind)) addRow(diff, texts, level, kind);
      else open.push(kind === 'object' ? yield* openObjects(texts, level) : yield* openArrays(diff, texts, level));
    }
    const last = open.at(-1);
    if (last === undefined) return diff;
    level = last.next();
  }
}

/** The kind that all of them have. Null if one is missing or the kinds differ. */
function sharedKind(texts: SideTexts, nodes: readonly number[]): JsonKind | null {
  let shared: JsonKind | null = null;
  for (const [side, index] of texts.entries()) {
    if (index === null) continue;
    const node = nodes[side] ?? -1;
    if (node === -1) return null;
    const kind = kindOf(index, node);
    if (shared !== null && kind !== shared) return null;
    shared = kind;
  }
  return shared;
}

function hasMembers(texts: SideTexts, nodes: readonly number[], kind: JsonKind): boolean {
  return (
    (kind === 'object' || kind === 'array') && texts.some((index, side) => (index?.members[nodes[side] ?? 0] ?? 0) > 0)
  );
}

function* openObjects(texts: SideTexts, { nodes, place }: Level): Steps<Open> {
  const members = new Map<string, number[]>();
  let visited = 0;
  for (const [side, index] of texts.entries()) {
    if (index === null) continue;
    for (const child of childrenOf(index, nodes[side] ?? 0)) {
      const name = decodeString(keyToken(index, child) ?? '""');
      const known = members.get(name) ?? texts.map(() => -1);
      known[side] = child;
      members.set(name, known);
      visited += 1;
      if (visited % visitedAStep === 0) yield;
    }
  }
  const left = members.entries();
  return {
    next: () => {
      const { done, value } = left.next();
      return done === true ? null : { nodes: value[1], place: below(place, value[0]) };
    },
  };
}

/** By the items' ids if all have one and the orders differ, otherwise by position. */
function* openArrays(diff: JsonDiff, texts: SideTexts, level: Level): Steps<Open> {
  const matched = yield* itemsById(texts, level.nodes);
  if (matched === null) return openByPlace(texts, level);
  if (matched.isReordered) addRow(diff, texts, level, 'array', true);
  const left = matched.items[Symbol.iterator]();
  return {
    next: () => {
      const { done, value } = left.next();
      return done === true ? null : { nodes: value.nodes, place: below(level.place, value.step) };
    },
  };
}

/** One item at a time, without a list of them, because there may be millions. */
function openByPlace(texts: SideTexts, { nodes, place }: Level): Open {
  const ends = texts.map((index, side) => index?.next[nodes[side] ?? 0] ?? 0);
  const at = nodes.map((node) => node + 1);
  let position = 0;
  return {
    next: () => {
      const items = at.map((node, side) => (node < (ends[side] ?? 0) ? node : -1));
      if (items.every((node) => node === -1)) return null;
      for (const [side, index] of texts.entries())
        if (index !== null && items[side] !== -1) at[side] = index.next[at[side] ?? 0] ?? Infinity;
      position += 1;
      return { nodes: items, place: below(place, position - 1) };
    },
  };
}

function below(above: Place | null, step: Step): Place {
  const isById = above?.isById === true || typeof step === 'object';
  return { above, step, depth: (above?.depth ?? 0) + 1, isById };
}

function addRow(
  diff: JsonDiff,
  texts: SideTexts,
  { nodes, place }: Level,
  kind: JsonKind | null,
  isReordered = false,
): void {
  const values = texts.map((index, side): PlacedValue | null => {
    const node = nodes[side] ?? -1;
    if (node === -1 || index === null) return null;
    return { kind: kindOf(index, node), text: valueText(index, node), members: index.members[node] ?? 0 };
  });
  const there = values.filter((_, side) => texts[side] !== null);
  const [first] = there;
  const isEqual =
    !isReordered && kind !== null && there.length > 1 && there.every((value) => isSame(first ?? null, value));
  const count = isEqual ? diff.equal : diff.differing;
  if (isEqual) diff.equal += 1;
  else diff.differing += 1;
  if (count < maxRows)
    diff.rows.push({
      path: pathOf(place),
      values,
      isEqual,
      nodes,
      isById: place?.isById === true,
      isReordered,
    });
}

/** Up to this many digits, JSON.parse reads a number exactly. */
const exactDigits = 15;

/** Whether two values of one kind are equal, in any notation: `1.0` and `1`, `"é"` and `"\u00e9"`. */
function isSame(one: PlacedValue | null, other: PlacedValue | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.text === other.text) return true;
  if (one.kind === 'string' && (one.text.includes('\\') || other.text.includes('\\')))
    return decodeString(one.text) === decodeString(other.text);
  if (one.kind === 'number' && one.text.length <= exactDigits && other.text.length <= exactDigits)
    return Number(one.text) === Number(other.text);
  // Only empty objects and arrays come here.
  return one.kind === 'object' || one.kind === 'array';
}

function pathOf(place: Place | null): string {
  const depth = place?.depth ?? 0;
  const end: Step[] = [];
  const start: Step[] = [];
  const half = deepestNamed / 2;
  for (let at = place; at !== null; at = at.above) {
    if (depth <= deepestNamed || at.depth > depth - half) end.push(at.step);
    else if (at.depth <= half) start.push(at.step);
  }
  const tail = stepsText(end.reverse());
  return start.length === 0 ? `$${tail}` : `$${stepsText(start.reverse())} … ${tail}`;
}

/** Steps in the syntax of JSONPath, an item with an id as a filter: `.products[?@.id=="KT-1"].price`. */
function stepsText(steps: readonly Step[]): string {
  return steps
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return typeof step === 'string' ? memberOf(step) : `[?@${memberOf(step.field)}==${step.json}]`;
    })
    .join('');
}
