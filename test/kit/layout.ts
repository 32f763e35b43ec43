import type { JSHandle, Page } from '@playwright/test';

/** What may scroll sideways: code, tables and what is wider than any window by its kind. */
const mayScrollSideways = 'pre, .cm-scroller, [role="grid"], [role="tree"], [role="tablist"], [data-scrolls-sideways]';

/** What is pressed or typed in. */
const controls =
  'button, a[href], input:not([type="hidden"]), textarea, [role="tab"], [role="combobox"], [role="switch"], ' +
  '[role="checkbox"], [role="slider"]';

/** Reads of the page that all checks below share. */
interface Reads {
  /** What is on top: the dialog or menu that is open, else `within`, else all. */
  root: Element;
  isShown: (element: Element) => boolean;
  nameOf: (element: Element) => string;
  /** The part of an element that no frame around it cuts off. */
  shownPart: (element: Element) => { left: number; top: number; right: number; bottom: number };
}

function readsOf(page: Page, within: string | null): Promise<JSHandle<Reads>> {
  return page.evaluateHandle((rootOfChoice): Reads => {
    const layers = document.querySelectorAll('[role="dialog"][data-open], [role="menu"][data-open]');
    const named = rootOfChoice === null ? null : document.querySelector(rootOfChoice);
    return {
      root: layers.item(layers.length - 1) ?? named ?? document.body,
      isShown(element) {
        if (element.closest('[inert]') !== null) return false;
        const box = element.getBoundingClientRect();
        if (box.width <= 1 || box.height <= 1) return false;
        return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      },
      nameOf(element) {
        const text = element.getAttribute('aria-label') ?? element.textContent.trim();
        return `${element.tagName.toLowerCase()} "${text.replaceAll(/\s+/g, ' ').slice(0, 50)}"`;
      },
      shownPart(element) {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        const part = { left, top, right, bottom };
        for (let frame = element.parentElement; frame !== null; frame = frame.parentElement) {
          if (getComputedStyle(frame).overflow === 'visible') continue;
          const box = frame.getBoundingClientRect();
          part.left = Math.max(part.left, box.left);
          part.top = Math.max(part.top, box.top);
          part.right = Math.min(part.right, box.right);
          part.bottom = Math.min(part.bottom, box.bottom);
        }
        return part;
      },
    };
  }, within);
}

/** Frames that have to be scrolled sideways, and are of no kind that may. */
function sidewaysScrollers(reads: JSHandle<Reads>): Promise<string[]> {
  return reads.evaluate(({ root, isShown, nameOf }, allowed) => {
    const found: string[] = [];
    const page = document.documentElement;
    if (page.scrollWidth > innerWidth + 1) found.push(`the page is ${page.scrollWidth} wide`);
    for (const element of root.querySelectorAll('*')) {
      if (element.scrollWidth <= element.clientWidth + 1 || element.closest(allowed) !== null) continue;
      if (!['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || !isShown(element)) continue;
      found.push(`${nameOf(element)} scrolls sideways by ${element.scrollWidth - element.clientWidth}`);
    }
    return found;
  }, mayScrollSideways);
}

/** Controls and headings that a frame cuts off permanently: it does not scroll there. */
function cutOff(reads: JSHandle<Reads>): Promise<string[]> {
  return reads.evaluate(
    ({ root, isShown, nameOf }, { what, sideways }) => {
      const found: string[] = [];
      for (const element of root.querySelectorAll(what)) {
        if (!isShown(element)) continue;
        const box = element.getBoundingClientRect();
        let [isFreeX, isFreeY] = [false, false];
        for (let frame = element.parentElement; frame !== null && !(isFreeX && isFreeY); frame = frame.parentElement) {
          const { overflowX, overflowY, position } = getComputedStyle(frame);
          const around = frame.getBoundingClientRect();
          if (frame.matches(sideways)) isFreeX = true;
          if (!isFreeX && overflowX !== 'visible' && (box.left < around.left - 1 || box.right > around.right + 1)) {
            found.push(`${nameOf(element)} is cut off at the side`);
            break;
          }
          if (['auto', 'scroll'].includes(overflowY)) isFreeY = true;
          if (!isFreeY && overflowY !== 'visible' && (box.top < around.top - 1 || box.bottom > around.bottom + 1)) {
            found.push(`${nameOf(element)} is cut off above or below`);
            break;
          }
          if (position === 'fixed') break;
        }
        if (!isFreeX && (box.left < -1 || box.right > innerWidth + 1)) found.push(`${nameOf(element)} is outside`);
      }
      return found;
    },
    { what: `${controls}, h1, h2, h3, h4`, sideways: mayScrollSideways },
  );
}

/** Controls whose words do not fit: what is behind their end is gone, or is dots where the label is ours. */
function clippedWords(reads: JSHandle<Reads>): Promise<string[]> {
  return reads.evaluate(({ root, isShown, nameOf }) => {
    const found: string[] = [];
    for (const button of root.querySelectorAll('button, [role="tab"], [role="radiogroup"] label'))
      for (const element of [button, ...button.querySelectorAll('*')]) {
        if (!isShown(element) || element.scrollWidth <= element.clientWidth + 1 || element.clientWidth === 0) continue;
        const { overflowX, textOverflow } = getComputedStyle(element);
        if (overflowX === 'visible') continue;
        // Names that the user gave are shortened; the words of a button are not.
        const isOurs = /(^|_)button_/.test(button.className);
        if (textOverflow !== 'ellipsis' || isOurs) found.push(`${nameOf(button)} does not fit`);
      }
    return found;
  });
}

/** Texts that are cut short with dots, and that the pointer does not show in full. */
function shortened(reads: JSHandle<Reads>): Promise<string[]> {
  return reads.evaluate(({ root, isShown, nameOf }) => {
    const found: string[] = [];
    for (const element of root.querySelectorAll('*')) {
      const { overflowX, textOverflow, webkitLineClamp, pointerEvents } = getComputedStyle(element);
      if (overflowX === 'visible' || pointerEvents === 'none' || element.matches('input, textarea')) continue;
      const isCutAside = textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth + 1;
      const isCutBelow = webkitLineClamp !== 'none' && element.scrollHeight > element.clientHeight + 1;
      if ((!isCutAside && !isCutBelow) || !isShown(element)) continue;
      element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
      if (element.closest('[title]') === null && element.querySelector('[title]') === null)
        found.push(`${nameOf(element)} is cut short`);
      element.dispatchEvent(new MouseEvent('mouseleave'));
    }
    return found;
  });
}

/** Controls that something covers, so that a click does not reach them. */
function covered(reads: JSHandle<Reads>): Promise<string[]> {
  return reads.evaluate(({ root, isShown, nameOf, shownPart }, what) => {
    const found: string[] = [];
    for (const element of root.querySelectorAll(what)) {
      if (!isShown(element) || getComputedStyle(element).pointerEvents === 'none') continue;
      const box = element.getBoundingClientRect();
      const part = shownPart(element);
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      if (x <= part.left || x >= part.right || y <= part.top || y >= part.bottom) continue;
      const top = document.elementFromPoint(x, y);
      if (top === null || element.contains(top) || top.contains(element)) continue;
      // The actions for the selected rows cover the list.
      if (top.closest('[role="toolbar"], label') !== null) continue;
      // What sticks to the edge of a frame that scrolls: the control is reached by scrolling.
      let bar: Element | null = top;
      while (bar !== null && getComputedStyle(bar).position !== 'sticky') bar = bar.parentElement;
      if (bar?.parentElement?.contains(element) === true) continue;
      found.push(`${nameOf(element)} lies under ${nameOf(top)}`);
    }
    return found;
  }, controls);
}

/**
 * What a person would see to be wrong with the layout of the page as it is: frames that scroll sideways, controls and
 * headings that are cut off or covered, words that do not fit. `within`: a selector of what covers the rest, if that
 * is not a dialog.
 */
export async function layoutFaults(page: Page, within: string | null = null): Promise<string[]> {
  const reads = await readsOf(page, within);
  try {
    const checks = [sidewaysScrollers, cutOff, clippedWords, shortened, covered];
    return (await Promise.all(checks.map((check) => check(reads)))).flat();
  } finally {
    await reads.dispose();
  }
}
