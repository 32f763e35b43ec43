import { EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * A CodeMirror in the shadow root of `host`, where it uses adopted style sheets: the window's CSP allows no inline
 * style element (decision 003). The caller destroys it.
 */
export function openCodeView(host: HTMLElement, doc: string, extensions: Extension): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  return new EditorView({ root, parent: root, state: EditorState.create({ doc, extensions }) });
}
