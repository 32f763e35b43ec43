import { RangeSetBuilder, countColumn, type Extension } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view';

/** The indentation of a wrapped line's continuation, in columns. */
const behind = 2;
/** Deeper lines are not indented further, so that a narrow pane stays readable. */
const deepest = 24;

const hanging = Array.from({ length: deepest + 1 }, (_, columns) =>
  Decoration.line({ class: `cm-hanging-${columns}` }),
);

const theme = EditorView.theme(
  Object.fromEntries(
    hanging.map((_, columns) => [
      `.cm-line.cm-hanging-${columns}`,
      { textIndent: `-${columns}ch`, paddingLeft: `calc(8px + ${columns}ch)` },
    ]),
  ),
);

/**
 * Wraps long lines, and indents the continuation relative to its line. Classes set the indentation, because the
 * window's CSP allows no style attribute.
 */
export const hangingWrap: Extension = [
  EditorView.lineWrapping,
  theme,
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;

      constructor(view: EditorView) {
        this.decorations = indentationsIn(view);
      }

      update({ docChanged, viewportChanged, view }: ViewUpdate): void {
        if (docChanged || viewportChanged) this.decorations = indentationsIn(view);
      }
    },
    { decorations: ({ decorations }) => decorations },
  ),
];

/** The indentation of each line on screen. */
function indentationsIn({ state, visibleRanges }: EditorView): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>();
  let lastLine = 0;
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to;) {
      const line = state.doc.lineAt(at);
      at = line.to + 1;
      // A very long line is on screen in several parts.
      if (line.number === lastLine) continue;
      lastLine = line.number;
      const indentation = /^[ \t]*/.exec(state.sliceDoc(line.from, Math.min(line.to, line.from + deepest)))?.[0] ?? '';
      const columns = countColumn(indentation, state.tabSize);
      const mark = hanging[Math.min(deepest, columns + behind)];
      if (mark !== undefined) marks.add(line.from, line.from, mark);
    }
  }
  return marks.finish();
}
