import { placeInPanel } from './keep-focus.ts';

/**
 * Where the keyboard goes when a dialog closes: back to what had it in the window beneath. Dialogs are opened by keys,
 * menus and commands as well as by buttons, so what opened one is not always an element, or one that is still there.
 */
let lastInPage: HTMLElement | null = null;

/** Follows the focus within `page` from now on; popups live beside it and do not count. */
export function followFocus(page: HTMLElement): void {
  page.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) lastInPage = target;
  });
  page.addEventListener('focusout', ({ relatedTarget }) => {
    // The focus went nowhere: there is nothing to come back to.
    if (relatedTarget === null && document.hasFocus()) lastInPage = null;
  });
}

/**
 * For `finalFocus` of a popup: what had the focus beneath, else the list or the panel. Under another dialog that stays
 * open the popup's own choice stands.
 */
export function returnFocus(): HTMLElement | boolean {
  const isNested = document.querySelectorAll('[role="dialog"][data-open], [role="alertdialog"][data-open]').length > 0;
  if (isNested) return true;
  if (lastInPage !== null && lastInPage.isConnected) return lastInPage;
  const panel = document.querySelector<HTMLElement>('main');
  return panel === null ? true : placeInPanel(panel);
}
