import { EditorView } from '@codemirror/view';

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
