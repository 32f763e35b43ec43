import { useEffect, useEffectEvent, useMemo, useReducer, useState } from 'react';
import { formatCount } from '../design/format.ts';
import { inSlices } from '../stream/use-text-rows.ts';
import type { JsonIndex } from './json-index.ts';
import {
  createJsonFind,
  firstAtOrBehind,
  hitFrom,
  mostHits,
  type FindScope,
  type JsonFind,
  type TextRange,
} from './json-find.ts';

export interface FindInJson {
  find: JsonFind;
  wanted: string;
  setWanted: (wanted: string) => void;
  scope: FindScope;
  setScope: (scope: FindScope) => void;
  /** The current hit, or -1. */
  at: number;
  /** "8 of 37". */
  found: string;
  next: () => void;
  previous: () => void;
}

/**
 * A search through the keys and values, in steps of a few milliseconds per frame. It moves to the first hit at or after
 * `placeInView` and calls `onGo` with the value that contains it. `within`: only that stretch of the text is searched.
 */
export function useJsonFind(
  index: JsonIndex,
  placeInView: () => number,
  onGo: (node: number) => void,
  within?: TextRange,
): FindInJson {
  const [wanted, setWanted] = useState('');
  const [scope, setScope] = useState<FindScope>('all');
  const [from, to] = [within?.from ?? 0, within?.to ?? index.text.length];
  const find = useMemo(() => createJsonFind(index, wanted, scope, { from, to }), [index, wanted, scope, from, to]);
  const [gone, setGone] = useState<{ find: JsonFind; at: number } | null>(null);
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const at = gone?.find === find ? gone.at : -1;
  const [typedFrom, setTypedFrom] = useState<number | null>(null);

  const go = (hit: number): void => {
    setGone({ find, at: hit });
    onGo(find.nodes[hit] ?? 0);
  };
  const goToFirst = useEffectEvent((): void => {
    if (at !== -1) return;
    const from = typedFrom ?? placeInView();
    const isFound = find.isDone || (find.places.at(-1) ?? -1) >= from;
    const first = isFound ? hitFrom(find.places, from) : -1;
    if (first !== -1) go(first);
  });
  useEffect(() => {
    if (wanted === '') return undefined;
    return inSlices(
      () => find.step(),
      () => find.isDone,
      () => {
        goToFirst();
        redraw();
      },
    );
  }, [find, wanted]);

  const move = (by: 1 | -1): void => {
    const count = find.places.length;
    if (count > 0) go(at === -1 ? hitFrom(find.places, placeInView()) : (at + by + count) % count);
  };
  return {
    find,
    wanted,
    setWanted: (next) => {
      // If the user types further, the search starts from the hit that was found.
      setTypedFrom(at === -1 ? typedFrom : (find.places[at] ?? null));
      setWanted(next);
    },
    scope,
    setScope,
    at,
    found: foundText(find, wanted, at),
    next: () => move(1),
    previous: () => move(-1),
  };
}

function foundText({ places, isDone }: JsonFind, wanted: string, at: number): string {
  if (wanted === '') return '';
  if (places.length === 0) return isDone ? 'No matches' : '';
  const count = `${formatCount(places.length)}${places.length === mostHits ? '+' : ''}`;
  return at === -1 ? count : `${formatCount(at + 1)} of ${count}`;
}

/** How many hits are between two places of the text. */
export function hitsBetween({ places }: JsonFind, from: number, to: number): number {
  return places.length === 0 ? 0 : firstAtOrBehind(places, to) - firstAtOrBehind(places, from);
}
