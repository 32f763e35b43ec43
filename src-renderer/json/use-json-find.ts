import { useCallback, useState } from 'react';
import { useTextSearch, type ShownSearch } from '../stream/use-text-search.ts';
import type { JsonIndex } from './json-index.ts';
import { countBefore, createJsonFind, type FindScope, type JsonFind, type TextRange } from './json-find.ts';

export interface FindInJson extends ShownSearch<JsonFind> {
  scope: FindScope;
  setScope: (scope: FindScope) => void;
}

/**
 * A search through the keys and values. It moves to the first hit at or after `placeInView` and calls `onGo` with the
 * value that contains it. `within`: only that stretch of the text is searched.
 */
export function useJsonFind(
  index: JsonIndex,
  placeInView: () => number,
  onGo: (node: number) => void,
  within?: TextRange,
): FindInJson {
  const [scope, setScope] = useState<FindScope>('all');
  const [from, to] = [within?.from ?? 0, within?.to ?? index.text.length];
  const createSearch = useCallback(
    (wanted: string) => createJsonFind(index, wanted, scope, { from, to }),
    [index, scope, from, to],
  );
  const finding = useTextSearch(createSearch, index, placeInView, ({ nodes }, at) => onGo(nodes[at] ?? 0));
  return { ...finding, scope, setScope };
}

/** How many hits are between two places of the text. */
export function hitsBetween({ matches }: JsonFind, from: number, to: number): number {
  return matches.length === 0 ? 0 : countBefore(matches, to) - countBefore(matches, from);
}
