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
 * Searches while the user types: words immediately, a token only when it is finished. The index is on this computer, so
 * the search starts with the key press, and while it runs only the last text waits. `search` resolves when its rows are
 * shown, or another search has begun.
 */
export function createSearchWhileTyping(search: (text: string) => Promise<void>): SearchWhileTyping {
  let waiting: string | null = null;
  let isAsked = false;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const ask = (): void => {
    if (waiting === null || isAsked) return;
    const text = searchedText(waiting, false);
    waiting = null;
    isAsked = true;
    const answered = (): void => {
      isAsked = false;
      ask();
    };
    search(text).then(answered, answered);
  };
  const cancel = (): void => {
    clearTimeout(pause);
    waiting = null;
  };
  const askFor = (typed: string): void => {
    waiting = typed;
    ask();
  };
  return {
    type: (typed) => {
      cancel();
      if (mayBecomeField(typed)) pause = setTimeout(() => askFor(typed), fieldPauseMs);
      else askFor(typed);
    },
    cancel,
  };
}
