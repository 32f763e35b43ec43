import { ChevronDown, ChevronUp, Search, X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { IconButton } from './icon-button.tsx';
import { searchBarText } from '../messages/design.ts';
import styles from './search-bar.module.css';

/** The state of a search, and how to move through its matches. */
export interface SearchState {
  wanted: string;
  setWanted: (text: string) => void;
  /** The number of matches, announced when it is known. */
  found: string;
  next: () => void;
  previous: () => void;
}

export interface SearchBarProps {
  /** What is searched: the field's name and placeholder. */
  label: string;
  search: SearchState;
  /** Called when the user closes the search, which also ends it. */
  onClose: () => void;
  /** Gets the focus when the search is closed. */
  returnTo?: RefObject<HTMLElement | null>;
  /** A choice of where to search, after the buttons. */
  children?: ReactNode;
}

/**
 * A search within the content below it. Enter goes to the next match, Shift Enter to the previous one, Escape closes
 * it.
 */
export function SearchBar({ label, search, onClose, returnTo, children }: SearchBarProps) {
  const { wanted, setWanted, found, next, previous } = search;
  const close = (): void => {
    setWanted('');
    onClose();
    returnTo?.current?.focus({ preventScroll: true });
  };
  return (
    <div className={styles.search} role="search">
      <Search aria-hidden="true" />
      <input
        autoFocus
        spellCheck={false}
        aria-label={label}
        placeholder={label}
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
          else if (event.key === 'Enter') (event.shiftKey ? previous : next)();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span className={styles.found} role="status">
        {found}
      </span>
      <IconButton label={searchBarText.previous} size="sm" hasSmallGlyph icon={<ChevronUp />} onClick={previous} />
      <IconButton label={searchBarText.next} size="sm" hasSmallGlyph icon={<ChevronDown />} onClick={next} />
      {children}
      <IconButton label={searchBarText.close} size="sm" hasSmallGlyph icon={<X />} onClick={close} />
    </div>
  );
}
