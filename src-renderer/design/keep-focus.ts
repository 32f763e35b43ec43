/*
 * The keyboard is always somewhere. What had the focus may go: a row that is deleted, a pane that makes room for
 * another, what opened a dialog. Then what is next to it gets the focus, else what is around it.
 */

/** An element that had the focus, or one around it, and its place among the children of the next. */
interface Step {
  element: Element;
  index: number;
}

/** What a key may go to unasked. No field: letters would be typed that are commands elsewhere. */
const reachable = 'button:not(:disabled), a[href], [tabindex="0"]:not(input, textarea)';

const layers = '[role="dialog"][data-open], [role="alertdialog"][data-open], [role="menu"][data-open]';

/** Holds for `page` from now on; popups live beside it and return the focus into it. */
export function keepFocus(page: HTMLElement): void {
  let trail: readonly Step[] = [];
  page.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) trail = trailOf(target, page);
  });
  // A press on nothing in particular and a field that lets go of the focus mean it.
  page.addEventListener('pointerdown', () => (trail = []), true);
  page.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (relatedTarget !== null || !document.hasFocus()) return;
    queueMicrotask(() => {
      if (target instanceof Element && target.isConnected && document.activeElement === document.body) trail = [];
    });
  });
  let frame: number | null = null;
  const place = (): void => {
    frame = null;
    if (document.activeElement !== document.body || trail.length === 0) return;
    if (!document.hasFocus() || document.querySelector(layers) !== null) return;
    placeFor(trail)?.focus({ preventScroll: true });
  };
  // Not before the next frame: on its way from one element to another the focus is on the body as well.
  const observer = new MutationObserver(() => {
    if (document.activeElement === document.body) frame ??= requestAnimationFrame(place);
  });
  observer.observe(document.body, { childList: true, subtree: true });
}

function trailOf(target: Element, page: HTMLElement): Step[] {
  const steps: Step[] = [];
  for (let element: Element | null = target; element !== null && element !== page; element = element.parentElement)
    steps.push({ element, index: [...(element.parentElement?.children ?? [])].indexOf(element) });
  return steps;
}

/** Where the keyboard goes; null where nothing of what was around is left. */
function placeFor(trail: readonly Step[]): HTMLElement | null {
  // What something lies over cannot have the focus.
  const at = trail.findIndex(({ element }) => element.isConnected && element.closest('[inert]') === null);
  const [first] = trail.slice(at);
  if (at === -1 || first === undefined) return null;
  // It is there still, and was only left.
  if (at === 0) return first.element instanceof HTMLElement ? first.element : null;
  let index = trail[at - 1]?.index ?? 0;
  for (const { element, index: next } of trail.slice(at)) {
    if (element instanceof HTMLElement && element.matches('main')) return placeInPanel(element);
    const beside = element.children.item(Math.min(index, element.children.length - 1));
    const place = (beside === null ? null : firstReachable(beside)) ?? firstReachable(element);
    if (place !== null) return place;
    index = next;
  }
  return null;
}

function firstReachable(within: Element): HTMLElement | null {
  const all = [...(within.matches(reachable) ? [within] : []), ...within.querySelectorAll(reachable)];
  return (
    all.find(
      (one): one is HTMLElement =>
        one instanceof HTMLElement && one.checkVisibility() && one.closest('[inert]') === null,
    ) ?? null
  );
}

/** The list where it is shown, else the panel itself: Tab goes to its first control from there. */
export function placeInPanel(panel: HTMLElement): HTMLElement {
  const list = panel.querySelector<HTMLElement>('[data-job-list]');
  if (list !== null && list.closest('[inert]') === null) return list;
  if (!panel.hasAttribute('tabindex')) panel.tabIndex = -1;
  return panel;
}
