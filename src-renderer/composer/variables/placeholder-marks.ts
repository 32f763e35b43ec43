import { Decoration, EditorView, MatchDecorator, ViewPlugin } from '@codemirror/view';
import type { DecorationSet, ViewUpdate } from '@codemirror/view';

const matcher = new MatchDecorator({
  regexp: /\{\{\s{0,8}[A-Za-z_][\w-]{0,59}\s{0,8}\}\}/g,
  decoration: Decoration.mark({ class: 'cm-placeholder-mark' }),
});

class Marks {
  decorations: DecorationSet;

  constructor(view: EditorView) {
    this.decorations = matcher.createDeco(view);
  }

  update(update: ViewUpdate): void {
    this.decorations = matcher.updateDeco(update, this.decorations);
  }
}

/** Draws a frame around each `{{name}}` in view. */
export const placeholderMarks = [
  ViewPlugin.fromClass(Marks, { decorations: (marks) => marks.decorations }),
  EditorView.theme({
    '.cm-placeholder-mark, .cm-placeholder-mark *': { color: 'var(--text-1)' },
    '.cm-placeholder-mark': {
      padding: '1px 3px',
      margin: '0 1px',
      borderRadius: '4px',
      background: 'var(--fill-3)',
      boxShadow: 'inset 0 0 0 1px var(--line-2)',
    },
  }),
];
