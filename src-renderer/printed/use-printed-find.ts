import { useMemo, useState } from 'react';
import type { SearchState } from '../design/search-bar.tsx';
import { printedText } from '../messages/printed.ts';
import { matchesIn, type PrintedRow } from './printed-rows.ts';

/** A search in rows. `currentId`: the id of the row that was gone to. */
export interface PrintedFind extends SearchState {
  currentId: number | null;
}

/** Finds rows by their text. `goTo` brings the row with this index into view. */
export function usePrintedFind(rows: readonly PrintedRow[], goTo: (index: number) => void): PrintedFind {
  const [wanted, setWanted] = useState('');
  const [currentId, setCurrentId] = useState<number | null>(null);
  const matches = useMemo(() => matchesIn(rows, wanted), [rows, wanted]);
  const at = matches.findIndex((index) => rows[index]?.id === currentId);

  const go = (list: readonly number[], place: number): void => {
    const index = list.at(place % list.length);
    const row = index === undefined ? undefined : rows[index];
    if (index === undefined || row === undefined) return setCurrentId(null);
    setCurrentId(row.id);
    goTo(index);
  };
  return {
    wanted,
    currentId: at === -1 ? null : currentId,
    setWanted: (text) => {
      setWanted(text);
      // What was printed last is what one looks for first.
      go(matchesIn(rows, text), -1);
    },
    found: wanted === '' ? '' : printedText.found(Math.max(at, 0), matches.length),
    next: () => go(matches, at + 1),
    previous: () => go(matches, at === -1 ? -1 : at - 1),
  };
}
