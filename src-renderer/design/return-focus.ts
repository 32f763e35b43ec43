import { placeInPanel } from './keep-focus.ts';

/**
 * Where the keyboard goes when a dialog closes: back to what had it in the window beneath. Dialogs are opened by keys,
 * menus and commands as well as by buttons, so what opened one is not always an element, or one that is still there.
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
    // The focus went nowhere: there is nothing to come back to.
    if (relatedTarget === null && document.hasFocus()) lastInPage = null;
  });
  document.addEventListener('focusin', ({ target }) => {
    const dialog = target instanceof HTMLElement ? target.closest(dialogs) : null;
    if (dialog !== null && target instanceof HTMLElement && target !== dialog) lastInDialog.set(dialog, target);
  });
}

/**
 * For `finalFocus` of a popup: what had the focus beneath, in the dialog that stays open or in the page; else the list
 * or the panel.
 */
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
