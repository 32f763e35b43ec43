import { searchedText } from '../data/parse-filter.ts';
import { mayBecomeField } from './filter-suggestions.ts';

/** A word that may become the name of a field is searched for only when the user pauses. */
const fieldPauseMs = 160;

export interface SearchWhileTyping {
  /** Searches for the typed text. */
  type: (typed: string) => void;
  /** Drops a search that has not started. */
  cancel: () => void;
}

/**
 * What is searched for in a text that is still being typed. `orElse`: what is searched for if nothing matches that,
 * without a word that may become the name of a field (`statu`): a half-typed token never empties the list. Pure.
 */
export function searchedFor(typed: string): { text: string; orElse: string } {
  const text = searchedText(typed, false);
  return { text, orElse: mayBecomeField(typed) ? searchedText(typed.replace(/\S*$/, ''), false) : text };
}

/**
 * Searches while the user types: words immediately, a token only when it is finished. The index is on this computer, so
 * the search starts with the key press, and while it runs only the last text waits. `search` resolves when its rows are
 * shown, or another search has begun.
 */
export function createSearchWhileTyping(
  search: (text: string, orElse: string, isStillTyped: () => boolean) => Promise<void>,
): SearchWhileTyping {
  let waiting: string | null = null;
  /** The number of the last text, so that a search knows whether it is still that of the box. */
  let latest = 0;
  let isSearching = false;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const searchWaiting = (): void => {
    if (waiting === null || isSearching) return;
    const { text, orElse } = searchedFor(waiting);
    waiting = null;
    isSearching = true;
    const answered = (): void => {
      isSearching = false;
      searchWaiting();
    };
    const searched = latest;
    search(text, orElse, () => searched === latest).then(answered, answered);
  };
  const cancel = (): void => {
    latest += 1;
    clearTimeout(pause);
    waiting = null;
  };
  const searchFor = (typed: string): void => {
    waiting = typed;
    searchWaiting();
  };
  return {
    type: (typed) => {
      cancel();
      if (mayBecomeField(typed)) pause = setTimeout(() => searchFor(typed), fieldPauseMs);
      else searchFor(typed);
    },
    cancel,
  };
}
