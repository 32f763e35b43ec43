import { useEffect, useEffectEvent, useMemo, useReducer, useState } from 'react';
import { call } from '../bridge.ts';
import type { SearchState } from '../design/search-bar.tsx';
import { createChunkSearch } from './chunk-search.ts';
import type { StreamLog } from './stream-log.ts';
import { useMatches } from './use-matches.ts';
import { foundText } from './use-text-search.ts';

/** A search as its bar and its matches are drawn. `found` is "3 of 17", or why the chunks could not be searched. */
export interface FindInChunks extends SearchState {
  /** The place of the chunk with the current match, or null. */
  current: number | null;
}

/**
 * A search through all chunks of an attempt, including those on disk. It continues as chunks arrive, moves to the first
 * match at or after `chunkInView` and calls `onGo` with its place.
 */
export function useChunkFind(
  of: { log: StreamLog; jobKey: string; attempt: number; version: unknown },
  chunkInView: () => number,
  onGo: (place: number) => void,
): FindInChunks {
  const { log, jobKey: key, attempt, version } = of;
  const [wanted, setWanted] = useState('');
  const search = useMemo(
    () =>
      createChunkSearch(
        wanted,
        (fromSeq) => call('job:findChunks', { key, attempt, fromSeq, text: wanted }),
        () => log.chunkCount,
      ),
    [wanted, key, attempt, log],
  );
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const current = useMatches(search, chunkInView, (index) => {
    const place = search.matches[index];
    if (place !== undefined) onGo(place);
  });
  const goToFirst = useEffectEvent(() => current.goToFirst(chunkInView()));
  useEffect(
    () =>
      search.run(() => {
        goToFirst();
        redraw();
      }),
    [search, version],
  );
  const { at, next, previous } = current;
  return {
    wanted,
    setWanted,
    current: at === -1 ? null : (search.matches[at] ?? null),
    found: search.problem ?? foundText(search, wanted, at),
    next,
    previous,
  };
}
