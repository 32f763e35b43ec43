import { EditorView } from '@codemirror/view';

/** The stretch in which two texts differ, as an editor takes a change: `insert` replaces `from` to `to`. */
export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

/**
 * The smallest change from `before` to `after`, so that a caret outside of it stays in place. Null if they are equal.
 * Pure.
 */
export function changeBetween(before: string, after: string): TextChange | null {
  if (before === after) return null;
  const max = Math.min(before.length, after.length);
  let from = 0;
  while (from < max && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  let kept = 0;
  while (kept < max - from && before.charCodeAt(before.length - 1 - kept) === after.charCodeAt(after.length - 1 - kept))
    kept += 1;
  return { from, to: before.length - kept, insert: after.slice(from, after.length - kept) };
}

/**
 * Lets the editor itself replace selected text. The browser would copy the style of the replaced text into a style
 * attribute, which the window's policy refuses and reports.
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
    // Extensions that react to typing (such as closing brackets) get the text first, as for any other key.
    const isTaken = view.state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, main.from, main.to, text, insert));
    if (!isTaken) view.dispatch(insert());
    return true;
  },
});
