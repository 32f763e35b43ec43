import { placeInPanel } from './keep-focus.ts';

/**
 * Where the focus goes when a dialog closes: back to the element of the window that had it before. Keys, menus and
 * commands open dialogs too, so there is not always a button to return to, or it may be gone.
 */
let lastInPage: HTMLElement | null = null;
let followed: HTMLElement | null = null;
/** By the dialog it is in. */
const lastInDialog = new WeakMap<Element, HTMLElement>();

const dialogs = '[role="dialog"], [role="alertdialog"]';

/** Follows the focus within `page`, and within each dialog beside it, from now on. */
export function followFocus(page: HTMLElement): void {
  followed = page;
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

/**
 * For `finalFocus` of a popup. If another dialog is still open, the popup's own choice applies. A popup that fades out
 * ends late: if the focus is in the page by then, it stays.
 */
export function returnFocus(): HTMLElement | boolean {
  const beneath = [...document.querySelectorAll(dialogs)].findLast((dialog) => dialog.hasAttribute('data-open'));
  if (beneath !== undefined) {
    const last = lastInDialog.get(beneath);
    return last?.isConnected === true ? last : true;
  }
  if (followed?.contains(document.activeElement) === true) return false;
  if (lastInPage !== null && lastInPage.isConnected) return focusItself(lastInPage);
  const panel = document.querySelector<HTMLElement>('main');
  return panel === null ? true : focusItself(placeInPanel(panel));
}

/** In place of an element that Tab does not reach, such as `main`, Base UI focuses the first control within it. */
function focusItself(target: HTMLElement): HTMLElement | false {
  if (target.tabIndex >= 0) return target;
  // The page is still covered now.
  queueMicrotask(() => target.focus({ preventScroll: true }));
  return false;
}
