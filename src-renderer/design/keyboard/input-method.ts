/**
 * Leaves the keys of an input method to it, such as the Enter that confirms kanji: no field takes one of them for its
 * own Enter, Escape, Backspace or arrow. The input editor, which is no such field, knows these keys itself.
 */
export function leaveKeysToInputMethod(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      // The composed path includes the editor's shadow root, and so the fields of its search.
      const [target] = event.composedPath();
      const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
      if (event.isComposing && isField) event.stopPropagation();
    },
    { capture: true },
  );
}
