import { useEffectEvent, useLayoutEffect, useCallback, useState } from 'react';
import { isCovered } from '../design/keyboard/key-target.ts';
import { hasCommandKey } from '../design/keyboard/platform.ts';
import { SearchBar, type SearchBarProps } from '../design/search-bar.tsx';
import { Segmented } from '../design/segmented.tsx';
import { jsonSearchText } from '../messages/json/view.ts';
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

interface JsonSearchBarProps extends Pick<SearchBarProps, 'onClose' | 'returnTo'> {
  finding: FindInJson;
}

/** The search bar of JSON, with a choice of keys, values or both. */
export function JsonSearchBar({ finding, ...rest }: JsonSearchBarProps) {
  return (
    <SearchBar label={jsonSearchText.label} search={finding} {...rest}>
      <Segmented
        size="sm"
        label={jsonSearchText.scope}
        value={finding.scope}
        options={[
          { value: 'all', label: jsonSearchText.all },
          { value: 'keys', label: jsonSearchText.keys },
          { value: 'values', label: jsonSearchText.values },
        ]}
        onChange={finding.setScope}
      />
    </SearchBar>
  );
}

/** F3 moves to the next hit while a search is open. Ctrl Shift P copies the path. */
export function useFindKeys(isFinding: boolean, next: () => void, previous: () => void, copy: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || isCovered()) return;
    const isPath = hasCommandKey(event) && event.shiftKey && event.key.toLowerCase() === 'p';
    if (isPath) copy();
    else if (isFinding && event.key === 'F3') (event.shiftKey ? previous : next)();
    else return;
    event.preventDefault();
  });
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
