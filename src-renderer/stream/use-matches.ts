import { useState } from 'react';
import { matchFrom, type SteppedSearch } from './text-search.ts';

/** The current match of a search. */
export interface CurrentMatch {
  /** Its index, or -1. */
  at: number;
  /** Goes to the first match at or after `place` once it is certain, unless there is a current match already. */
  goToFirst: (place: number) => void;
  next: () => void;
  previous: () => void;
}

/**
 * The current match of a search, from one to the next in a circle. A new search begins without one. `onGo` is called
 * with the index of each match that becomes the current one; `placeInView` says where the first step begins.
 */
export function useMatches(
  search: Pick<SteppedSearch, 'matches' | 'isDone'>,
  placeInView: () => number,
  onGo: (index: number) => void,
): CurrentMatch {
  const [current, setCurrent] = useState<{ search: typeof search; at: number } | null>(null);
  const at = current?.search === search ? current.at : -1;
  const go = (index: number): void => {
    setCurrent({ search, at: index });
    onGo(index);
  };
  const move = (by: 1 | -1): void => {
    const count = search.matches.length;
    if (count > 0) go(at === -1 ? matchFrom(search.matches, placeInView()) : (at + by + count) % count);
  };
  return {
    at,
    goToFirst: (place) => {
      if (at !== -1) return;
      const isFound = search.isDone || (search.matches.at(-1) ?? -1) >= place;
      const first = isFound ? matchFrom(search.matches, place) : -1;
      if (first !== -1) go(first);
    },
    next: () => move(1),
    previous: () => move(-1),
  };
}
