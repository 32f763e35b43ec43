import { EditorView } from '@codemirror/view';

/** The one stretch in which two texts differ, as an editor takes a change: what comes in place of `from` to `to`. */
export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

/**
 * The smallest change that makes `after` of `before`, so that a caret outside it stays where it is. Null: they are the
 * same. Pure.
 */
export function changeBetween(before: string, after: string): TextChange | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  let kept = 0;
  while (
    kept < most - from &&
    before.charCodeAt(before.length - 1 - kept) === after.charCodeAt(after.length - 1 - kept)
  )
    kept += 1;
  return { from, to: before.length - kept, insert: after.slice(from, after.length - kept) };
}

/**
 * Text typed over a selection, put in place by the editor itself. Left to the browser, it would carry the look of what
 * it replaces into a style attribute, which the window's policy refuses and reports.
 */
export const typedOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { main, ranges } = view.state.selection;
    if (event.inputType !== 'insertText' || event.data === null || event.isComposing || main.empty || ranges.length > 1)
      return false;
    event.preventDefault();
    const text = event.data;
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
    // What listens to typing (brackets that close themselves) is asked first, as it is for any other key.
    const isTaken = view.state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, main.from, main.to, text, insert));
    if (!isTaken) view.dispatch(insert());
    return true;
  },
});
