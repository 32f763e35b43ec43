import { defaultKeymap } from '@codemirror/commands';
import { syntaxHighlighting } from '@codemirror/language';
import { EditorView, drawSelection, keymap, placeholder } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef, type ReactElement } from 'react';
import { openCodeView, codeTheme } from '../design/editor/code-view.ts';
import { useEditorFind } from '../design/editor/editor-find.tsx';
import { changeBetween, typedOver } from '../design/editor/text-change.ts';
import { markdownHighlight, markdownMode } from './markdown-mode.ts';
import styles from './readme-editor.module.css';

interface MarkdownEditorProps {
  label: string;
  value: string;
  whenEmpty: string;
  onChange: (text: string) => void;
}

/**
 * A markdown editor, in a shadow root like the JSON editor (decision 003). Undo belongs to the draft with all its
 * fields, so the editor has none. Tab moves to the next field of the form.
 */
export function MarkdownEditor({ label, value, whenEmpty, onChange }: MarkdownEditorProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const { extension: findAndReplace, bar: findBar } = useEditorFind();
  const textNow = useEffectEvent(() => value);
  const typed = useEffectEvent((text: string) => {
    if (text !== value) onChange(text);
  });

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const created = openCodeView(element, textNow(), [
      drawSelection(),
      findAndReplace,
      EditorView.lineWrapping,
      markdownMode,
      syntaxHighlighting(markdownHighlight),
      codeTheme({ fontPx: 12, linePx: 19 }),
      placeholder(whenEmpty),
      typedOver,
      keymap.of(defaultKeymap),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) typed(update.state.doc.toString());
      }),
    ]);
    view.current = created;
    return () => {
      view.current = null;
      created.destroy();
    };
  }, [label, whenEmpty, findAndReplace]);

  // After an undo of the draft, or with another copy of the template, only the difference is applied.
  useEffect(() => {
    const change = view.current === null ? null : changeBetween(view.current.state.doc.toString(), value);
    if (change !== null) view.current?.dispatch({ changes: change });
  }, [value]);

  return (
    <div className={styles.source}>
      {findBar}
      <div ref={host} className={styles.host} data-editor />
    </div>
  );
}
