import { useEffectEvent, useLayoutEffect } from 'react';
import { isCovered } from '../design/key-target.ts';
import { hasCommandKey } from '../design/platform.ts';
import { SearchBar, type SearchBarProps } from '../design/search-bar.tsx';
import { Segmented } from '../design/segmented.tsx';
import { jsonSearchText } from '../messages/json/view.ts';
import type { FindInJson } from './use-json-find.ts';

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
