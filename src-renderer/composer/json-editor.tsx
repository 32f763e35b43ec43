import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { typedOver } from './typed-over.ts';
import { jsonHighlight } from '../design/json-highlight.ts';
import styles from './json-editor.module.css';

export interface EditorProblem {
  from: number;
  to: number;
  message: string;
}

export interface JsonEditorProps {
  label: string;
  value: string;
  problem: EditorProblem | null;
  onChange: (text: string) => void;
  onCursor?: (at: { line: number; column: number }) => void;
  /** Where the problem stands in the editor's own pixels, for the card beside it. */
  onProblemAt?: (at: { left: number; top: number } | null) => void;
  onSubmit: () => void;
  onFix: () => void;
}

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--code-key)', backgroundColor: 'transparent', fontSize: '12.5px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '21px', overflow: 'auto' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--text-1)' },
  '.cm-line': { padding: '0 16px 0 8px' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--code-punct)' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '34px', padding: '0 6px 0 0' },
  '.cm-activeLine': { backgroundColor: 'var(--fill-1)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text-2)' },
  '.cm-cursor': { borderLeftColor: 'var(--text-1)', borderLeftWidth: '1.5px' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--text-selection) !important' },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': { backgroundColor: 'var(--fill-3)', outline: 'none' },
  '.cm-foldGutter .cm-gutterElement': { color: 'var(--text-ghost)' },
  '.cm-foldPlaceholder': { background: 'var(--fill-3)', border: 'none', color: 'var(--text-2)', padding: '0 6px', borderRadius: '3px' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--fail) 1.25px', textUnderlineOffset: '4px' },
  '.cm-lint-marker-error': { content: 'none', width: '8px', height: '8px', marginTop: '7px', borderRadius: '50%', backgroundColor: 'var(--fail)' },
  '.cm-tooltip': { display: 'none' },
  '.cm-panels': { backgroundColor: 'var(--bg-overlay)', color: 'var(--text-1)', border: 'none' },
  '.cm-textfield': { backgroundColor: 'var(--bg-sunken)', color: 'var(--text-1)', border: '1px solid var(--line-control)', borderRadius: '5px' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--btn-bg)', color: 'var(--text-1)', border: '1px solid var(--line-control)', borderRadius: '5px' },
  '.cm-searchMatch': { backgroundColor: 'var(--fill-4)' },
});

/**
 * A JSON editor. It lives in a shadow root, where CodeMirror uses adopted style sheets: the window's CSP allows no
 * inline style element. The text is the caller's; the editor only shows it and says what was typed.
 */
export function JsonEditor(props: JsonEditorProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const created = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          lineNumbers(), foldGutter(), codeFolding(), lintGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
          highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(), json(), syntaxHighlighting(jsonHighlight), indentUnit.of('  '), theme, typedOver,
          keymap.of([
            { key: 'Mod-Enter', run: () => (latest.current.onSubmit(), true) },
            { key: 'Mod-.', run: () => (latest.current.onFix(), true) },
            { key: 'F8', run: goToProblem },
            ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, indentWithTab,
          ]),
          EditorView.contentAttributes.of({ 'aria-label': latest.current.label, spellcheck: 'false' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
            if (update.docChanged || update.selectionSet) reportCursor(update.view);
            if (update.docChanged || update.geometryChanged || update.viewportChanged) reportProblemPlace(update.view);
          }),
        ],
      }),
    });
    created.scrollDOM.addEventListener('scroll', () => reportProblemPlace(created), { passive: true });
    view.current = created;
    if (!isTakenUp(document.activeElement)) created.focus();
    // The caret starts where typing most likely goes on: inside the first empty string, else at the end.
    const emptyString = created.state.doc.toString().indexOf('""');
    created.dispatch({ selection: { anchor: emptyString === -1 ? created.state.doc.length : emptyString + 1 } });
    return () => {
      view.current = null;
      created.destroy();
    };

    function goToProblem(target: EditorView): boolean {
      const { problem } = latest.current;
      if (problem === null) return false;
      target.dispatch({ selection: { anchor: Math.min(problem.from, target.state.doc.length) }, scrollIntoView: true });
      return true;
    }
    function reportCursor(target: EditorView): void {
      const { head } = target.state.selection.main;
      const line = target.state.doc.lineAt(head);
      latest.current.onCursor?.({ line: line.number, column: head - line.from + 1 });
    }
  }, []);

  // A text that comes from outside (history, format, another draft) replaces the document in one undoable step.
  useEffect(() => {
    const current = view.current;
    if (current === null || current.state.doc.toString() === props.value) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: props.value } });
  }, [props.value]);

  const { problem } = props;
  useEffect(() => {
    const current = view.current;
    if (current === null) return;
    const end = current.state.doc.length;
    const marks = problem === null ? [] : [{ from: Math.min(problem.from, end), to: Math.min(Math.max(problem.to, problem.from), end), severity: 'error' as const, message: problem.message }];
    current.dispatch(setDiagnostics(current.state, marks));
    reportProblemPlace(current);
  }, [problem]);

  function reportProblemPlace(target: EditorView): void {
    const { problem: now, onProblemAt } = latest.current;
    if (onProblemAt === undefined) return;
    target.requestMeasure({
      read: () => {
        if (now === null) return null;
        const at = target.coordsAtPos(Math.min(now.from, target.state.doc.length));
        const box = target.dom.getBoundingClientRect();
        return at === null || at.bottom < box.top || at.top > box.bottom ? null : { left: at.left - box.left, top: at.bottom - box.top };
      },
      write: (at) => onProblemAt(at),
    });
  }

  return <div ref={host} className={styles.host} data-editor />;
}

/** The editor comes a moment after the sheet: whoever has opened a list or begun to type meanwhile keeps the focus. */
function isTakenUp(active: Element | null): boolean {
  return active !== null && (active.getAttribute('aria-expanded') === 'true' || active.closest('[role="listbox"], input, textarea') !== null);
}
