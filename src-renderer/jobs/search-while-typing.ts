import { searchedText } from '../data/filter-tokens.ts';
import { createThrottle } from '../data/throttle.ts';
import { mayBecomeField } from './filter-suggestions.ts';

/** The index is on this computer: it is asked at once, and again at most so often. */
const everyMs = 60;
/** A word that may become the name of a field is searched for once the typing pauses. */
const fieldPauseMs = 160;

export interface SearchWhileTyping {
  /** Searches for what is typed, as it stands when it is asked for. */
  type: (typed: string) => void;
  /** Forgets what was not asked for yet. */
  cancel: () => void;
}

/** Searches while somebody types: every word at once, a token only when it is finished. */
export function createSearchWhileTyping(search: (text: string) => void): SearchWhileTyping {
  let waiting: string | null = null;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const searchWaiting = (): void => {
    if (waiting === null) return;
    const text = searchedText(waiting, false);
    waiting = null;
    search(text);
  };
  const searchSoon = createThrottle(everyMs, searchWaiting);
  const cancel = (): void => {
    clearTimeout(pause);
    waiting = null;
  };
  return {
    type: (typed) => {
      clearTimeout(pause);
      waiting = typed;
      if (mayBecomeField(typed)) pause = setTimeout(searchWaiting, fieldPauseMs);
      else searchSoon();
    },
    cancel,
  };
}
