import { indexJson, type JsonIndex } from '../json/json-index.ts';
import type { Steps } from '../stream/use-steps.ts';
import { diffJson, type DiffRow } from './json-diff.ts';
import { jsonPathOf, stepsTo } from '../json/json-path.ts';
import { imagesBySide, type SideImages } from './side-images.ts';

/** What is compared beside the facts. */
export type ComparedPart = 'input' | 'output';

/** The inputs or the outputs of the jobs, compared. */
export interface Compared {
  rows: DiffRow[];
  differing: number;
  equal: number;
  images: SideImages;
}

const none: Compared = { rows: [], differing: 0, equal: 0, images: new Map() };

/**
 * Compares texts by their JSON paths. If one of them is not JSON, each is compared as a single text. Null: a side
 * without a text, which is left out. `areText`: some are plain text, even if they could be read as JSON.
 */
export function* compareTexts(texts: readonly (string | null)[], areText: boolean): Steps<Compared> {
  if (texts.every((text) => text === null)) return none;
  if (areText) return plain(texts);
  const indexes: (JsonIndex | null)[] = [];
  for (const text of texts) indexes.push(text === null ? null : yield* indexJson(text));
  if (indexes.some((index) => index !== null && (index.state !== 'whole' || index.count === 0))) return plain(texts);
  const diff = yield* diffJson(indexes);
  return { ...diff, images: byRows(diff.rows, indexes, yield* imagesBySide(texts)) };
}

/** Images are found by their paths. A row whose path names an item by its id has a path of its own in each text. */
function byRows(rows: readonly DiffRow[], texts: readonly (JsonIndex | null)[], found: SideImages): SideImages {
  if (found.size === 0) return found;
  const images = new Map(found);
  for (const { path, nodes } of rows.filter(({ isById }) => isById)) {
    const paths = nodes.map((node, side) => {
      const index = texts[side] ?? null;
      return index === null || node === -1 ? null : jsonPathOf(stepsTo(index, node));
    });
    const own = paths.map((each, side) => (each === null ? null : (found.get(each)?.[side] ?? null)));
    if (own.every((image) => image === null)) continue;
    for (const each of paths) if (each !== null) images.delete(each);
    images.set(path, own);
  }
  return images;
}

function plain(texts: readonly (string | null)[]): Compared {
  const there = texts.filter((text) => text !== null);
  const isEqual = there.length > 1 && there.every((text) => text === there[0]);
  const values = texts.map((text) =>
    text === null ? null : { kind: 'string' as const, text: quoted(text), members: 0 },
  );
  return {
    rows: [{ path: '$', values, isEqual, nodes: [], isById: false, isReordered: false }],
    differing: isEqual ? 0 : 1,
    equal: isEqual ? 1 : 0,
    images: new Map(),
  };
}

/** The text as a JSON string, unless it is one. */
function quoted(text: string): string {
  return /^".*"$/s.test(text) ? text : JSON.stringify(text);
}
