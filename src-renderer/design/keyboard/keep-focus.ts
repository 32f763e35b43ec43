/*
 * Keeps the keyboard focus somewhere. The focused element may disappear: a deleted row, a pane that is replaced, the
 * opener of a dialog. Then the element next to it gets the focus, or else one around it.
 */

/** The focused element or one of its ancestors, and its index in its parent. */
interface Step {
  element: Element;
  index: number;
}

/**
 * Elements that may get the focus automatically. Not text fields, where letters that are commands would be typed, and
 * not a tab that is not selected, which the focus would select.
 */
const reachable = 'button:not(:disabled, [tabindex="-1"]), a[href], [tabindex="0"]:not(input, textarea)';

const layers = '[role="dialog"][data-open], [role="alertdialog"][data-open], [role="menu"][data-open]';

/** Keeps the focus within `page` from now on. Popups are outside of it and return the focus. */
export function keepFocus(page: HTMLElement): void {
  let trail: readonly Step[] = [];
  page.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) trail = trailOf(target, page);
  });
  // A click beside all controls, and a field that gives up its focus, remove the focus on purpose.
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
  // Wait for the next frame, because the body also has the focus while it moves from one element to another.
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

/** The element that gets the focus. Null if none of the ancestors is left. */
function placeFor(trail: readonly Step[]): HTMLElement | null {
  // A covered element cannot have the focus.
  const at = trail.findIndex(({ element }) => element.isConnected && element.closest('[inert]') === null);
  const [first] = trail.slice(at);
  if (at === -1 || first === undefined) return null;
  // The element itself is still there.
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

/** The list if it is shown, or else the panel itself, from which Tab goes to its first control. */
export function placeInPanel(panel: HTMLElement): HTMLElement {
  const list = panel.querySelector<HTMLElement>('[data-job-list]');
  if (list !== null && list.closest('[inert]') === null) return list;
  if (!panel.hasAttribute('tabindex')) panel.tabIndex = -1;
  return panel;
}
