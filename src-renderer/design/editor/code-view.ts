import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { HighlightStyle } from '@codemirror/language';
import { tags } from '@lezer/highlight';

/**
 * A CodeMirror in the shadow root of `host`, where it uses adopted style sheets: the window's CSP allows no inline
 * style element (decision 003). The caller destroys it.
 */
export function openCodeView(host: HTMLElement, doc: string, extensions: Extension): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  return new EditorView({ root, parent: root, state: EditorState.create({ doc, extensions }) });
}

/** One stroke of a cross, `degrees` from upright. */
function stroke(degrees: number): string {
  const mark = 'var(--on-status) calc(50% - 0.8px) calc(50% + 0.8px)';
  return `linear-gradient(${degrees}deg, transparent calc(50% - 0.8px), ${mark}, transparent calc(50% + 0.8px))`;
}

/** The theme of an editor, from the design tokens. Only font size and line height (px) differ between editors. */
export function codeTheme({ fontPx, linePx }: { fontPx: number; linePx: number }): Extension {
  return EditorView.theme({
    '&': { height: '100%', color: 'var(--code-key)', backgroundColor: 'transparent', fontSize: `${fontPx}px` },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: `${linePx}px`, overflow: 'auto' },
    // The window's scrollbar styles do not apply in a shadow root (base.css).
    '.cm-scroller::-webkit-scrollbar': { width: '10px', height: '10px' },
    '.cm-scroller::-webkit-scrollbar-thumb': {
      border: '2px solid transparent',
      borderRadius: 'var(--r-full)',
      background: 'var(--fill-4) content-box',
    },
    '.cm-scroller::-webkit-scrollbar-thumb:hover': { background: 'var(--line-3) content-box' },
    '.cm-scroller::-webkit-scrollbar-track, .cm-scroller::-webkit-scrollbar-corner': { background: 'transparent' },
    '.cm-content': { padding: '10px 0', caretColor: 'var(--text-1)' },
    '.cm-line': { padding: '0 16px 0 8px' },
    '.cm-placeholder': { color: 'var(--text-3)' },
    '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--code-punct)' },
    '.cm-lineNumbers .cm-gutterElement': { minWidth: '34px', padding: '0 6px 0 0' },
    '.cm-activeLine': { backgroundColor: 'var(--fill-1)' },
    '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text-2)' },
    // Nor do its rules for who asked for less motion.
    '@media (prefers-reduced-motion: reduce)': { '.cm-cursorLayer': { animation: 'none !important' } },
    '.cm-cursor': { borderLeftColor: 'var(--text-1)', borderLeftWidth: '1.5px' },
    '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--text-selection) !important' },
    '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': { backgroundColor: 'var(--fill-3)', outline: 'none' },
    '.cm-foldGutter .cm-gutterElement': { color: 'var(--text-ghost)' },
    '.cm-foldPlaceholder': {
      background: 'var(--fill-3)',
      border: 'none',
      color: 'var(--text-2)',
      padding: '0 6px',
      borderRadius: '3px',
    },
    '.cm-lintRange-error': {
      backgroundImage: 'none',
      textDecoration: 'underline wavy var(--fail) 1.25px',
      textUnderlineOffset: '4px',
    },
    '.cm-gutter-lint .cm-gutterElement': { padding: '0 3px' },
    '.cm-lint-marker-error': {
      content: 'none',
      width: '12px',
      height: '12px',
      marginTop: `${(linePx - 12) / 2}px`,
      // The octagon and cross of a failure, without the data: image that the window's CSP refuses.
      clipPath: 'polygon(30% 0, 70% 0, 100% 30%, 100% 70%, 70% 100%, 30% 100%, 0 70%, 0 30%)',
      background: `${[45, -45].map((turn) => `${stroke(turn)} center / 6px 6px no-repeat`).join(', ')}, var(--fail)`,
    },
    '.cm-tooltip': { display: 'none' },
    // The search is in a bar of the window.
    '.cm-panels': { display: 'none' },
    '.cm-searchMatch': { backgroundColor: 'var(--fill-4)' },
    '.cm-searchMatch-selected': { backgroundColor: 'var(--text-selection)' },
  });
}

/** JSON in an editor: three muted colours, so that syntax never looks like a status (design tokens: Code). */
export const jsonHighlight = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-key)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: 'var(--code-punct)' },
]);
