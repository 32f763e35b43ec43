import { ChevronDown, ChevronUp, Search, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import styles from './search-bar.module.css';

export interface SearchBarProps {
  /** What is searched: the field's name and placeholder. */
  label: string;
  wanted: string;
  onWanted: (text: string) => void;
  /** The number of matches, announced when it is known. */
  found: string;
  onNext: () => void;
  onPrevious: () => void;
  onClose: () => void;
  /** A choice of where to search, after the buttons. */
  children?: ReactNode;
}

/**
 * A search within the content below it. Enter goes to the next match, Shift Enter to the previous one, Escape closes
 * it.
 */
export function SearchBar({ label, wanted, onWanted, found, onNext, onPrevious, onClose, children }: SearchBarProps) {
  return (
    <div className={styles.search} role="search">
      <Search aria-hidden="true" />
      <input
        autoFocus
        spellCheck={false}
        aria-label={label}
        placeholder={label}
        value={wanted}
        onChange={(event) => onWanted(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          else if (event.key === 'Enter') (event.shiftKey ? onPrevious : onNext)();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span className={styles.found} role="status">
        {found}
      </span>
      <IconButton label="Previous match" size="sm" hasSmallGlyph icon={<ChevronUp />} onClick={onPrevious} />
      <IconButton label="Next match" size="sm" hasSmallGlyph icon={<ChevronDown />} onClick={onNext} />
      {children}
      <IconButton label="Close the search" size="sm" hasSmallGlyph icon={<X />} onClick={onClose} />
    </div>
  );
}
