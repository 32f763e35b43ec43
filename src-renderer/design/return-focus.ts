import { placeInPanel } from './keep-focus.ts';

/**
 * Where the focus goes when a dialog closes: back to the element of the window that had it before. Keys, menus and
 * commands open dialogs too, so there is not always a button to return to, or it may be gone.
 */
let lastInPage: HTMLElement | null = null;
/** By the dialog it is in. */
const lastInDialog = new WeakMap<Element, HTMLElement>();

const dialogs = '[role="dialog"], [role="alertdialog"]';

/** Follows the focus within `page`, and within each dialog beside it, from now on. */
export function followFocus(page: HTMLElement): void {
  page.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) lastInPage = target;
  });
  page.addEventListener('focusout', ({ relatedTarget }) => {
    // The focus went nowhere, so there is nothing to return to.
    if (relatedTarget === null && document.hasFocus()) lastInPage = null;
  });
  document.addEventListener('focusin', ({ target }) => {
    const dialog = target instanceof HTMLElement ? target.closest(dialogs) : null;
    if (dialog !== null && target instanceof HTMLElement && target !== dialog) lastInDialog.set(dialog, target);
  });
}

/** For `finalFocus` of a popup. If another dialog is still open, the popup's own choice applies. */
export function returnFocus(): HTMLElement | boolean {
  const beneath = [...document.querySelectorAll(dialogs)].findLast((dialog) => dialog.hasAttribute('data-open'));
  if (beneath !== undefined) {
    const last = lastInDialog.get(beneath);
    return last?.isConnected === true ? last : true;
  }
  if (lastInPage !== null && lastInPage.isConnected) return lastInPage;
  const panel = document.querySelector<HTMLElement>('main');
  return panel === null ? true : placeInPanel(panel);
}
