import { RangeSetBuilder, countColumn, type Extension } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view';

/** What is carried over stands so many columns behind the beginning of its line. */
const behind = 2;
/** Deeper lines hang no further: a narrow pane must have room left to read in. */
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
 * Long lines wrap, and what is carried over hangs below its line's own indentation. Classes say how far: the window's
 * CSP allows no style attribute.
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

/** How far each line on screen hangs. */
function indentationsIn({ state, visibleRanges }: EditorView): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>();
  let lastLine = 0;
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to;) {
      const line = state.doc.lineAt(at);
      at = line.to + 1;
      // Of a very long line several parts are on screen.
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
