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
import { useEffectEvent, useImperativeHandle, useLayoutEffect, useRef, type ReactElement, type Ref } from 'react';
import { codeTheme, openCodeView, jsonHighlight } from '../design/editor/code-view.ts';
import { hangingWrap } from '../design/editor/hanging-wrap.ts';
import styles from './json-reader.module.css';

/** Denser than an editor. */
const closer = EditorView.theme({
  '.cm-content': { padding: '8px 0' },
  '.cm-line': { padding: '0 14px 0 6px' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '30px' },
});
const theme = [closer, codeTheme({ fontPx: 12, linePx: 19 })];

export interface JsonSearch {
  next: () => void;
  previous: () => void;
}

const maxCounted = 1_000;

interface JsonReaderProps {
  text: string;
  label: string;
  /** What is searched, ignoring case: its matches are highlighted. Empty: nothing. */
  wanted: string;
  /** Takes how many matches there are, before they are painted. */
  onFound: (count: number) => void;
  searchRef: Ref<JsonSearch>;
}

/**
 * JSON to read, fold, select and search. It is in a shadow root, as the editor is: the CSP allows no inline style
 * element.
 */
export function JsonReader({ text, label, wanted, onFound, searchRef }: JsonReaderProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const first = useRef({ text, label });

  useLayoutEffect(() => {
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
      hangingWrap,
      EditorState.readOnly.of(true),
      // The window has a search field of its own, but CodeMirror highlights only while a panel is open.
      search({ createPanel: () => ({ dom: document.createElement('div'), top: true }) }),
      keymap.of([...defaultKeymap, ...foldKeymap]),
      EditorView.contentAttributes.of({
        'aria-label': first.current.label,
        'aria-readonly': 'true',
        tabindex: '0',
        spellcheck: 'false',
      }),
    ]);
    view.current = created;
    return () => {
      view.current = null;
      created.destroy();
    };
  }, []);

  const found = useEffectEvent(onFound);
  useLayoutEffect(() => {
    const current = view.current;
    if (current === null) return;
    if (current.state.doc.toString() !== text)
      current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } });
    found(find(current, wanted));
  }, [text, wanted]);

  useImperativeHandle(
    searchRef,
    () => ({
      next: () => void (view.current !== null && findNext(view.current)),
      previous: () => void (view.current !== null && findPrevious(view.current)),
    }),
    [],
  );

  return <div ref={host} className={styles.host} data-editor />;
}

/** Highlights and counts the matches of a text, and scrolls to the first. An empty text ends the search. */
function find(view: EditorView, wanted: string): number {
  if (wanted === '') {
    closeSearchPanel(view);
    return 0;
  }
  const query = new SearchQuery({ search: wanted, literal: true });
  openSearchPanel(view);
  view.dispatch({ effects: setSearchQuery.of(query), selection: { anchor: 0 } });
  let count = 0;
  const cursor = query.getCursor(view.state);
  while (count < maxCounted && cursor.next().done !== true) count += 1;
  if (count > 0) findNext(view);
  return count;
}
