import { defaultKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { codeFolding, foldGutter, foldKeymap, syntaxHighlighting } from '@codemirror/language';
import {
  SearchQuery,
  closeSearchPanel,
  findNext,
  findPrevious,
  openSearchPanel,
  search,
  setSearchQuery,
} from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, drawSelection, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useImperativeHandle, useRef } from 'react';
import type { ReactElement, Ref } from 'react';
import { openCodeView } from '../design/code-view.ts';
import { jsonHighlight } from '../design/json-highlight.ts';
import styles from './json-reader.module.css';

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--code-key)', backgroundColor: 'transparent', fontSize: '12px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '19px', overflow: 'auto' },
  // The page's own scrollbars do not reach into a shadow root.
  '.cm-scroller::-webkit-scrollbar': { width: '10px', height: '10px' },
  '.cm-scroller::-webkit-scrollbar-thumb': {
    border: '2px solid transparent',
    borderRadius: '10px',
    background: 'var(--fill-4) content-box',
  },
  '.cm-content': { padding: '8px 0' },
  '.cm-line': { padding: '0 14px 0 6px' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--code-punct)' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '30px', padding: '0 6px 0 0' },
  '.cm-foldGutter .cm-gutterElement': { color: 'var(--text-ghost)' },
  '.cm-foldPlaceholder': {
    background: 'var(--fill-3)',
    border: 'none',
    color: 'var(--text-2)',
    padding: '0 6px',
    borderRadius: '3px',
  },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--text-selection) !important' },
  '.cm-searchMatch': { backgroundColor: 'var(--fill-4)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--text-selection)' },
  '.cm-panels': { display: 'none' },
});

export interface JsonSearch {
  /** Highlights and counts what holds `text`, upper or lower case, and goes to the first; empty ends the search. */
  find: (text: string) => number;
  next: () => void;
  previous: () => void;
}

const mostCounted = 1_000;

/** JSON to read, fold, select and search. In a shadow root, as the editor: the CSP allows no inline style element. */
export function JsonReader({
  text,
  label,
  searchRef,
}: {
  text: string;
  label: string;
  searchRef: Ref<JsonSearch>;
}): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const first = useRef({ text, label });

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const created = openCodeView(element, first.current.text, [
      lineNumbers(),
      foldGutter(),
      codeFolding(),
      drawSelection(),
      json(),
      syntaxHighlighting(jsonHighlight),
      theme,
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      // The search field is the window's own; CodeMirror highlights only while it believes to have one.
      search({ createPanel: () => ({ dom: document.createElement('div'), top: true }) }),
      keymap.of([...defaultKeymap, ...foldKeymap]),
      EditorView.contentAttributes.of({
        'aria-label': first.current.label,
        'aria-readonly': 'true',
        spellcheck: 'false',
      }),
    ]);
    view.current = created;
    return () => {
      view.current = null;
      created.destroy();
    };
  }, []);

  useEffect(() => {
    const current = view.current;
    if (current === null || current.state.doc.toString() === text) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } });
  }, [text]);

  useImperativeHandle(
    searchRef,
    () => ({
      find(wanted) {
        const current = view.current;
        if (current === null) return 0;
        if (wanted === '') {
          closeSearchPanel(current);
          return 0;
        }
        const query = new SearchQuery({ search: wanted, literal: true });
        openSearchPanel(current);
        current.dispatch({ effects: setSearchQuery.of(query), selection: { anchor: 0 } });
        let count = 0;
        const cursor = query.getCursor(current.state);
        while (count < mostCounted && cursor.next().done !== true) count += 1;
        if (count > 0) findNext(current);
        return count;
      },
      next: () => void (view.current !== null && findNext(view.current)),
      previous: () => void (view.current !== null && findPrevious(view.current)),
    }),
    [],
  );

  return <div ref={host} className={styles.host} data-editor />;
}
