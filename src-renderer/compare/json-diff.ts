import { decodeString } from '../stream/json-lines.ts';
import type { Steps } from '../stream/use-steps.ts';
import { childrenOf, keyToken, kindOf, valueText, type JsonIndex, type JsonKind } from '../json/json-index.ts';
import { jsonPathOf, type PathStep } from '../json/json-path.ts';

/** A value at one place of one JSON text. `text` is as it came, so that a number keeps every digit. */
export interface PlacedValue {
  kind: JsonKind;
  text: string;
  /** How many keys or items it has. */
  members: number;
}

/** What stands at one path, side by side. */
export interface DiffRow {
  path: string;
  /** Null: nothing stands there. */
  values: (PlacedValue | null)[];
  isEqual: boolean;
}

export interface JsonDiff {
  /** In the order of the first text, at most `mostRows` of each kind. */
  rows: DiffRow[];
  differing: number;
  equal: number;
}

export const mostRows = 500;
const visitedAStep = 300;
/** Of a place that lies deeper, the beginning and the end are named. */
const deepestNamed = 24;

/** A place on the way down, which knows the one above it: paths are only written for what is shown. */
interface Place {
  above: Place | null;
  step: PathStep;
  depth: number;
}

/** The same place in every text; -1 where a text has none. */
interface Level {
  nodes: number[];
  place: Place | null;
}

/** An object or array that stands in all texts, and how far it was gone through. */
type Open = { next: () => Level | null };

/**
 * Compares JSON texts of any size and depth value by value, by their paths, a little at a time. Objects are compared
 * key by key, arrays item by item; where one text has no value, or one of another kind, that is one difference.
 */
export function* diffJson(texts: readonly JsonIndex[]): Steps<JsonDiff> {
  const diff: JsonDiff = { rows: [], differing: 0, equal: 0 };
  const open: Open[] = [];
  let level: Level | null = { nodes: texts.map(() => 0), place: null };
  for (let visited = 1; ; visited += 1) {
    if (visited % visitedAStep === 0) yield;
    if (level === null) {
      open.pop();
    } else {
      const kind = sharedKind(texts, level.nodes);
      // Two that are empty are equal, as two words are.
      if (kind === null || !hasMembers(texts, level.nodes, kind)) addRow(diff, texts, level, kind);
      else open.push(kind === 'object' ? yield* openObjects(texts, level) : openArrays(texts, level));
    }
    const last = open.at(-1);
    if (last === undefined) return diff;
    level = last.next();
  }
}

/** What all of them are; null where one is missing or they differ in that. */
function sharedKind(texts: readonly JsonIndex[], nodes: readonly number[]): JsonKind | null {
  let shared: JsonKind | null = null;
  for (const [side, index] of texts.entries()) {
    const node = nodes[side] ?? -1;
    if (node === -1) return null;
    const kind = kindOf(index, node);
    if (shared !== null && kind !== shared) return null;
    shared = kind;
  }
  return shared;
}

function hasMembers(texts: readonly JsonIndex[], nodes: readonly number[], kind: JsonKind): boolean {
  return (
    (kind === 'object' || kind === 'array') && texts.some((index, side) => (index.members[nodes[side] ?? 0] ?? 0) > 0)
  );
}

function* openObjects(texts: readonly JsonIndex[], { nodes, place }: Level): Steps<Open> {
  const members = new Map<string, number[]>();
  let visited = 0;
  for (const [side, index] of texts.entries()) {
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

/** Item by item, without a list of them: there may be millions. */
function openArrays(texts: readonly JsonIndex[], { nodes, place }: Level): Open {
  const ends = texts.map((index, side) => index.next[nodes[side] ?? 0] ?? 0);
  const at = nodes.map((node) => node + 1);
  let position = 0;
  return {
    next: () => {
      const items = at.map((node, side) => (node < (ends[side] ?? 0) ? node : -1));
      if (items.every((node) => node === -1)) return null;
      for (const [side, index] of texts.entries())
        if (items[side] !== -1) at[side] = index.next[at[side] ?? 0] ?? Infinity;
      position += 1;
      return { nodes: items, place: below(place, position - 1) };
    },
  };
}

function below(above: Place | null, step: PathStep): Place {
  return { above, step, depth: (above?.depth ?? 0) + 1 };
}

function addRow(diff: JsonDiff, texts: readonly JsonIndex[], { nodes, place }: Level, kind: JsonKind | null): void {
  const values = texts.map((index, side): PlacedValue | null => {
    const node = nodes[side] ?? -1;
    if (node === -1) return null;
    return { kind: kindOf(index, node), text: valueText(index, node), members: index.members[node] ?? 0 };
  });
  const [first] = values;
  const isEqual = kind !== null && values.every((value) => isSame(first ?? null, value));
  const count = isEqual ? diff.equal : diff.differing;
  if (isEqual) diff.equal += 1;
  else diff.differing += 1;
  if (count < mostRows) diff.rows.push({ path: pathOf(place), values, isEqual });
}

/** Up to so many digits a number is what JSON.parse makes of it. */
const exactDigits = 15;

/** Whether two values of one kind say the same, however they are written: `1.0` and `1`, `"é"` and `"\u00e9"`. */
function isSame(one: PlacedValue | null, other: PlacedValue | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.text === other.text) return true;
  if (one.kind === 'string' && (one.text.includes('\\') || other.text.includes('\\')))
    return decodeString(one.text) === decodeString(other.text);
  if (one.kind === 'number' && one.text.length <= exactDigits && other.text.length <= exactDigits)
    return Number(one.text) === Number(other.text);
  // Objects and arrays that come here are empty.
  return one.kind === 'object' || one.kind === 'array';
}

function pathOf(place: Place | null): string {
  const depth = place?.depth ?? 0;
  const end: PathStep[] = [];
  const start: PathStep[] = [];
  const half = deepestNamed / 2;
  for (let at = place; at !== null; at = at.above) {
    if (depth <= deepestNamed || at.depth > depth - half) end.push(at.step);
    else if (at.depth <= half) start.push(at.step);
  }
  const tail = jsonPathOf(end.reverse());
  return start.length === 0 ? tail : `${jsonPathOf(start.reverse())} … ${tail.slice(1)}`;
}
