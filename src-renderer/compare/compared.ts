import { indexJson } from '../json/json-index.ts';
import type { Steps } from '../stream/use-steps.ts';
import { diffJson, type DiffRow } from './json-diff.ts';
import { imagesBySide, type SideImages } from './side-images.ts';

/** A part of the jobs (their inputs, their outputs), compared. */
export interface Compared {
  rows: DiffRow[];
  differing: number;
  equal: number;
  images: SideImages;
}

const none: Compared = { rows: [], differing: 0, equal: 0, images: new Map() };

/**
 * Compares texts by their JSON paths; where one of them is no JSON, all of them as one text. Null: a side has none.
 * `areText`: some are text whatever they look like.
 */
export function* compareTexts(texts: readonly (string | null)[], areText: boolean): Steps<Compared> {
  if (texts.every((text) => text === null)) return none;
  const whole = texts.filter((text) => text !== null);
  if (areText || whole.length < texts.length) return plain(texts);
  const indexes = [];
  for (const text of whole) indexes.push(yield* indexJson(text));
  if (indexes.some(({ state, count }) => state !== 'whole' || count === 0)) return plain(texts);
  const diff = yield* diffJson(indexes);
  return { ...diff, images: yield* imagesBySide(whole) };
}

function plain(texts: readonly (string | null)[]): Compared {
  const isEqual = texts.every((text) => text === texts[0]);
  const values = texts.map((text) =>
    text === null ? null : { kind: 'string' as const, text: quoted(text), members: 0 },
  );
  return {
    rows: [{ path: '$', values, isEqual }],
    differing: isEqual ? 0 : 1,
    equal: isEqual ? 1 : 0,
    images: new Map(),
  };
}

/** As a JSON string, unless it is one. */
function quoted(text: string): string {
  return /^".*"$/s.test(text) ? text : JSON.stringify(text);
}
