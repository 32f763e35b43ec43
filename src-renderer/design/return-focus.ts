import { placeInPanel } from './keep-focus.ts';

/**
 * Where the focus goes when a dialog closes: back to the element of the window that had it before. Keys, menus and
 * commands open dialogs too, so there is not always a button to return to, or it may be gone.
 */
let lastInPage: HTMLElement | null = null;

/** Remembers the focus within `page` from now on. Popups are outside of it and do not count. */
export function followFocus(page: HTMLElement): void {
  page.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) lastInPage = target;
  });
  page.addEventListener('focusout', ({ relatedTarget }) => {
    // The focus went nowhere, so there is nothing to return to.
    if (relatedTarget === null && document.hasFocus()) lastInPage = null;
  });
}

/** For `finalFocus` of a popup. If another dialog is still open, the popup's own choice applies. */
export function returnFocus(): HTMLElement | boolean {
  const isNested = document.querySelectorAll('[role="dialog"][data-open], [role="alertdialog"][data-open]').length > 0;
  if (isNested) return true;
  if (lastInPage !== null && lastInPage.isConnected) return lastInPage;
  const panel = document.querySelector<HTMLElement>('main');
  return panel === null ? true : placeInPanel(panel);
}
