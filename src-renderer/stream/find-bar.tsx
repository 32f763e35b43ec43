import { SearchBar } from '../design/search-bar.tsx';
import type { FindInText } from './use-text-search.ts';

/** The search bar above an output. `onEnd` closes it and returns the focus. */
export function FindBar({ find, onEnd }: { find: FindInText; onEnd: () => void }) {
  return (
    <SearchBar
      label="Search in the output"
      wanted={find.wanted}
      onWanted={find.setWanted}
      found={find.found}
      onNext={find.next}
      onPrevious={find.previous}
      onClose={() => {
        find.setWanted('');
        onEnd();
      }}
    />
  );
}
