/** What text is selected in together: the innermost of these around the focus. */
const parts = '[role="dialog"], [role="alertdialog"], [role="tabpanel"], [role="region"], section, aside, main';

/**
 * Ctrl A outside of fields: selects the text of the part of the window that has the focus, and nothing if none has it.
 * Chromium itself would select the text of all panes, up to the placeholders of fields.
 */
export function selectPartAround(target: EventTarget | undefined): void {
  const part = target instanceof Element ? target.closest(parts) : null;
  const selection = window.getSelection();
  if (part === null) selection?.removeAllRanges();
  else selection?.selectAllChildren(part);
}

/**
 * Ends a selection when something outside of its part is pressed. Chromium keeps it if what is pressed has no text to
 * select, such as a row, and Ctrl C would then copy the former job's text.
 */
export function endSelectionOutside(target: EventTarget | null): void {
  const selection = window.getSelection();
  if (selection === null || selection.isCollapsed || !(target instanceof Node)) return;
  const around = selection.getRangeAt(0).commonAncestorContainer;
  const part = (around instanceof Element ? around : around.parentElement)?.closest(parts);
  if (part?.contains(target) !== true) selection.removeAllRanges();
}
