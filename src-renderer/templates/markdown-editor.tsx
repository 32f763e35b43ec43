import { defaultKeymap } from '@codemirror/commands';
import { syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorView, drawSelection, keymap, placeholder } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { openCodeView } from '../design/code-view.ts';
import { codeTheme } from '../design/code-theme.ts';
import { changeBetween } from '../design/text-change.ts';
import { typedOver } from '../design/typed-over.ts';
import { markdownHighlight, markdownMode } from './markdown-mode.ts';
import styles from './readme-editor.module.css';

/**
 * Markdown, written. In a shadow root like the JSON editor (decision 003). Undo is the draft's own, over all its
 * fields, so the editor keeps none; Tab moves on, as in any other field of the form.
 */
export function MarkdownEditor({
  label,
  value,
  whenEmpty,
  onChange,
}: {
  label: string;
  value: string;
  whenEmpty: string;
  onChange: (text: string) => void;
}): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef({ value, onChange });
  latest.current = { value, onChange };

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const created = openCodeView(element, latest.current.value, [
      drawSelection(),
      highlightSelectionMatches(),
      EditorView.lineWrapping,
      markdownMode,
      syntaxHighlighting(markdownHighlight),
      codeTheme({ fontPx: 12, linePx: 19 }),
      placeholder(whenEmpty),
      typedOver,
      keymap.of([...defaultKeymap, ...searchKeymap]),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
      EditorView.updateListener.of((update) => {
        const text = update.docChanged ? update.state.doc.toString() : latest.current.value;
        if (text !== latest.current.value) latest.current.onChange(text);
      }),
    ]);
    view.current = created;
    return () => {
      view.current = null;
      created.destroy();
    };
  }, [label, whenEmpty]);

  // An undo of the draft, or another copy of the template: only what differs is put in place.
  useEffect(() => {
    const change = view.current === null ? null : changeBetween(view.current.state.doc.toString(), value);
    if (change !== null) view.current?.dispatch({ changes: change });
  }, [value]);

  return <div ref={host} className={styles.source} data-editor />;
}
