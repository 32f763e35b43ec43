/** True where single letters belong to the element with the focus. */
export function isTyping(event: KeyboardEvent): boolean {
  // The composed path sees into the editor's shadow root.
  const target = event.composedPath()[0];
  return (
    target instanceof HTMLElement &&
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
