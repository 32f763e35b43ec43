import { searchedText } from '../data/filter-tokens.ts';
import { mayBecomeField } from './filter-suggestions.ts';

/** A word that may become the name of a field is searched for once the typing pauses. */
const fieldPauseMs = 160;

export interface SearchWhileTyping {
  /** Searches for what is typed, as it stands when it is asked for. */
  type: (typed: string) => void;
  /** Forgets what was not asked for yet. */
  cancel: () => void;
}

/**
 * Searches while somebody types: every word at once, a token only when it is finished. The index is on this computer,
 * so it is asked in the turn of the key, and while it answers only the last of what is typed meanwhile waits. `search`
 * resolves when its rows are there, or others were asked for.
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
