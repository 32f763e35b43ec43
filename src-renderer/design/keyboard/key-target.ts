/**
 * Whether single letters belong to the focused element. A field in a popup that is closing no longer counts: after
 * Escape, the next key is meant for the window.
 */
export function isTyping(event: Pick<Event, 'composedPath'>): boolean {
  // The composed path includes the editor's shadow root.
  const target = event.composedPath()[0];
  return (
    target instanceof HTMLElement &&
    target.closest('[data-closed]') === null &&
    (target.isContentEditable ||
      target.matches('input:not([type="radio"]), textarea, select') ||
      target.closest('[role="textbox"]') !== null)
  );
}

/** Whether Enter belongs to the focused button or link. */
export function isOnButton({ target }: Pick<Event, 'target'>): boolean {
  return target instanceof Element && target.closest('button, a') !== null;
}

/**
 * Whether a dialog, sheet, menu or drop-down has the keyboard. Closed ones may still be fading out, so only `data-open`
 * counts.
 */
export function isCovered(): boolean {
  return document.querySelector(covers) !== null;
}

/** Whether all that covers the window is a sheet with a palette of its own, and nothing covers that. */
export function isPaletteSheetOnTop(): boolean {
  const sheet = document.querySelector('[data-open]:has([data-palette-sheet])');
  return sheet !== null && [...document.querySelectorAll(covers)].every((cover) => sheet.contains(cover));
}

const covers =
  '[role="dialog"][data-open], [role="alertdialog"][data-open], [role="menu"][data-open], [data-open] [role="listbox"]';
