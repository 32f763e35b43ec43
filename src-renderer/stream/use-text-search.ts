import { useEffect, useEffectEvent, useMemo, useReducer, useState } from 'react';
import type { SearchState } from '../design/search-bar.tsx';
import { findText } from '../messages/stream/output.tsx';
import { maxMatches, type SteppedSearch } from './text-search.ts';
import { inSlices } from '../design/in-slices.ts';
import { useMatches } from './use-matches.ts';

/** A search as its bar and its matches are drawn. `found` is "3 of 17". */
export interface ShownSearch<S extends SteppedSearch> extends SearchState {
  search: S;
  /** The current match, or -1. */
  at: number;
}

/**
 * A search through the whole text in steps of a few milliseconds per frame. It continues as the text grows (`version`
 * changes), moves to the first match at or after `placeInView` and calls `onGo` with its index. The caller must memoise
 * `createSearch`: a new one starts the search again.
 */
export function useTextSearch<S extends SteppedSearch>(
  createSearch: (wanted: string) => S,
  version: unknown,
  placeInView: () => number,
  onGo: (search: S, at: number) => void,
): ShownSearch<S> {
  const [wanted, setWanted] = useState('');
  const search = useMemo(() => createSearch(wanted), [createSearch, wanted]);
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const current = useMatches(search, placeInView, (index) => onGo(search, index));
  // If the user types further, the search starts from the match that was found.
  const [typedFrom, setTypedFrom] = useState<number | null>(null);
  const goToFirst = useEffectEvent(() => current.goToFirst(typedFrom ?? placeInView()));
  useEffect(() => {
    if (wanted === '') return undefined;
    return inSlices(
      () => search.step(),
      () => search.isDone,
      () => {
        goToFirst();
        redraw();
      },
    );
  }, [search, wanted, version]);

  const { at, next, previous } = current;
  return {
    search,
    wanted,
    setWanted: (next) => {
      setTypedFrom(at === -1 ? typedFrom : (search.matches[at] ?? null));
      setWanted(next);
    },
    at,
    found: foundText(search, wanted, at),
    next,
    previous,
  };
}

/** How many matches there are, and which of them is current (`at`; -1: none): `3 of 17`. */
export function foundText(
  { matches, isDone }: Pick<SteppedSearch, 'matches' | 'isDone'>,
  wanted: string,
  at: number,
): string {
  if (wanted === '') return '';
  if (matches.length === 0) return isDone ? findText.noMatches : '';
  const count = findText.count(matches.length, matches.length === maxMatches);
  return at === -1 ? count : findText.place(at + 1, count);
}
