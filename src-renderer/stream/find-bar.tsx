import { SearchBar } from '../design/search-bar.tsx';
import type { FindInText } from './use-text-search.ts';

type Find = Pick<FindInText, 'wanted' | 'setWanted' | 'found' | 'next' | 'previous'>;

/** The search of an output, above it. `onEnd` takes it away and gives the focus back. */
export function FindBar({ find, onEnd }: { find: Find; onEnd: () => void }) {
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
