import {
  SearchQuery,
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  highlightSelectionMatches,
  openSearchPanel,
  replaceAll,
  replaceNext,
  search,
  searchPanelOpen,
  selectNextOccurrence,
  setSearchQuery,
} from '@codemirror/search';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { CaseSensitive, Regex, Replace, ReplaceAll } from 'lucide-react';
import { useEffect, useRef, useState, type Dispatch, type ReactElement, type SetStateAction } from 'react';
import { editorFindText } from '../../messages/editor-find.ts';
import styles from './editor-find.module.css';
import { IconButton } from '../icon-button.tsx';
import { SearchBar } from '../search-bar.tsx';

/** More matches are not counted. */
const maxCounted = 1_000;
/** In a longer text they are not counted either, because that would delay each press. */
const maxCountedChars = 2_000_000;

/** What an editor looks for, as it is shown in the bar above it. */
interface Finding {
  view: EditorView;
  query: SearchQuery;
  found: string;
  /** How often the user has opened the bar, which takes the focus each time. */
  focusRequests: number;
}

/**
 * Find and replace in an editor: `extension` for its keys and highlights, and `bar`, to be shown above it while the
 * user searches. CodeMirror's own panel would be in the shadow root, without the styles of the window.
 */
export function useEditorFind(): { extension: Extension; bar: ReactElement | null } {
  const [finding, setFinding] = useState<Finding | null>(null);
  const [extension] = useState(() => findKeys(setFinding));
  return { extension, bar: finding === null ? null : <FindBar {...finding} /> };
}

function findKeys(show: Dispatch<SetStateAction<Finding | null>>): Extension {
  const ask = (view: EditorView): boolean => {
    openSearchPanel(view);
    show((now) => ({ ...shownOf(view), focusRequests: (now?.focusRequests ?? 0) + 1 }));
    return true;
  };
  const update = (view: EditorView): void =>
    show((now) => (searchPanelOpen(view.state) ? { ...shownOf(view), focusRequests: now?.focusRequests ?? 0 } : null));
  const orOpen = (move: (view: EditorView) => boolean) => (view: EditorView) =>
    searchPanelOpen(view.state) ? move(view) : ask(view);
  return [
    search({ literal: true, createPanel: () => ({ dom: document.createElement('div') }) }),
    highlightSelectionMatches(),
    EditorView.updateListener.of(({ view, state, startState, docChanged, selectionSet }) => {
      const wasOpen = searchPanelOpen(startState);
      if (wasOpen !== searchPanelOpen(state)) update(view);
      else if (wasOpen && (docChanged || selectionSet || getSearchQuery(startState) !== getSearchQuery(state)))
        update(view);
    }),
    keymap.of([
      { key: 'Mod-f', run: ask, preventDefault: true },
      ...['F3', 'Mod-g'].map((key) => ({
        key,
        run: orOpen(findNext),
        shift: orOpen(findPrevious),
        preventDefault: true,
      })),
      // The sheet around the editor stays open.
      { key: 'Escape', run: closeSearchPanel, stopPropagation: true },
      { key: 'Mod-d', run: selectNextOccurrence, preventDefault: true },
    ]),
  ];
}

function shownOf(view: EditorView): Omit<Finding, 'focusRequests'> {
  const query = getSearchQuery(view.state);
  return { view, query, found: foundText(view.state, query) };
}

/** `3 of 12`: the place of the selected match among all. */
function foundText(state: EditorState, query: SearchQuery): string {
  if (query.search === '') return '';
  if (!query.valid) return editorFindText.invalid;
  if (state.doc.length > maxCountedChars) return '';
  const { from, to } = state.selection.main;
  let count = 0;
  let at = 0;
  const cursor = query.getCursor(state);
  for (let match = cursor.next(); match.done !== true && count < maxCounted; match = cursor.next()) {
    count += 1;
    if (match.value.from === from && match.value.to === to) at = count;
  }
  return editorFindText.found(at, count, count === maxCounted);
}

/** Changes the query. A new text selects its first match from the present place on. */
function changeQuery(
  view: EditorView,
  former: SearchQuery,
  change: Partial<ConstructorParameters<typeof SearchQuery>[0]>,
): void {
  const { search: wanted, replace, caseSensitive, regexp } = former;
  const query = new SearchQuery({ search: wanted, replace, caseSensitive, regexp, literal: true, ...change });
  view.dispatch({ effects: setSearchQuery.of(query) });
  if (!query.valid || change.search === undefined) return;
  const { from } = view.state.selection.main;
  const below = query.getCursor(view.state, from).next();
  const match = below.done === true ? query.getCursor(view.state).next() : below;
  if (match.done === true) return;
  const { from: anchor, to: head } = match.value;
  view.dispatch({
    selection: { anchor, head },
    effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
    userEvent: 'select.search',
  });
}

/** The bar above the editor: what to find, and what to replace it with. */
function FindBar({ view, query, found, focusRequests }: Finding): ReactElement {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => bar.current?.querySelector('input')?.select(), [focusRequests]);
  const isOnce = query.valid && query.search !== '';
  const missing = isOnce ? undefined : editorFindText.nothingToReplace;
  return (
    <div ref={bar} className={styles.bar} data-find>
      <SearchBar
        label={editorFindText.find}
        search={{
          wanted: query.search,
          setWanted: (wanted) => changeQuery(view, query, { search: wanted }),
          found,
          next: () => void findNext(view),
          previous: () => void findPrevious(view),
        }}
        onClose={() => {
          closeSearchPanel(view);
          view.focus();
        }}
      >
        <IconButton
          label={editorFindText.matchCase}
          size="sm"
          icon={<CaseSensitive />}
          isOn={query.caseSensitive}
          onClick={() => changeQuery(view, query, { caseSensitive: !query.caseSensitive })}
        />
        <IconButton
          label={editorFindText.regexp}
          size="sm"
          hasSmallGlyph
          icon={<Regex />}
          isOn={query.regexp}
          onClick={() => changeQuery(view, query, { regexp: !query.regexp })}
        />
      </SearchBar>
      <div className={styles.replace}>
        <Replace aria-hidden="true" />
        <input
          spellCheck={false}
          aria-label={editorFindText.replaceWith}
          placeholder={editorFindText.replaceWith}
          value={query.replace}
          onChange={(event) => changeQuery(view, query, { replace: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              closeSearchPanel(view);
              view.focus();
            } else if (event.key === 'Enter' && isOnce) replaceNext(view);
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        <IconButton
          label={editorFindText.replace}
          size="sm"
          hasSmallGlyph
          icon={<Replace />}
          disabledReason={missing}
          onClick={() => void replaceNext(view)}
        />
        <IconButton
          label={editorFindText.replaceAll}
          size="sm"
          hasSmallGlyph
          icon={<ReplaceAll />}
          disabledReason={missing}
          onClick={() => void replaceAll(view)}
        />
      </div>
    </div>
  );
}
