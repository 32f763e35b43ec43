/**
 * True where single letters belong to the element with the focus. A field in a popup that is closed already, and only
 * fades out, has no claim to them: who presses Escape and at once another key means the window beneath.
 */
export function isTyping(event: KeyboardEvent): boolean {
  // The composed path sees into the editor's shadow root.
  const target = event.composedPath()[0];
  return (
    target instanceof HTMLElement &&
    target.closest('[data-closed]') === null &&
    (target.isContentEditable ||
      target.matches('input, textarea, select') ||
      target.closest('[role="textbox"]') !== null)
  );
}

/**
 * True while a dialog, sheet, menu or drop-down has the keyboard. Closed ones may still fade out: only `data-open`
 * counts.
 */
export function isCovered(): boolean {
  return (
    document.querySelector(
      '[role="dialog"][data-open], [role="alertdialog"][data-open], [role="menu"][data-open], [data-open] ' +
        '[role="listbox"]',
    ) !== null
  );
}
