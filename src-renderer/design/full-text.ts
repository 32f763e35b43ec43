/** More of a text than this is no tooltip. */
const maxChars = 1_000;

/**
 * From now on, a text that is cut short with dots has all of it as its tooltip while the pointer is on it, unless it is
 * in something that has one. Where it fits, it has none.
 */
export function showFullText(): void {
  let place = '';
  document.addEventListener('mouseover', ({ target, isTrusted, screenX, screenY }) => {
    const before = place;
    place = `${screenX} ${screenY}`;
    // The content moved, not the pointer: measuring now would lay out the window twice in this frame.
    if (isTrusted && place === before) requestIdleCallback(() => showAt(target));
    else showAt(target);
  });
}

function showAt(target: EventTarget | null): void {
  const text = target instanceof HTMLElement ? cutTextAt(target) : null;
  if (text === null || text.closest('[title]') !== null || text.querySelector('[title]') !== null) return;
  text.title = text.textContent.trim().slice(0, maxChars);
  text.addEventListener('mouseleave', () => text.removeAttribute('title'), { once: true });
}

/** The element at `target` whose text is cut short, or null. A chip or a highlighted word is some steps within it. */
function cutTextAt(target: HTMLElement): HTMLElement | null {
  let element: HTMLElement | null = target;
  for (let steps = 0; element !== null && steps < 4; steps += 1, element = element.parentElement)
    if (isCutShort(element)) return element;
  return null;
}

function isCutShort(element: HTMLElement): boolean {
  const { textOverflow, webkitLineClamp, overflowX } = getComputedStyle(element);
  if (overflowX === 'visible') return false;
  return (
    (textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth) ||
    (webkitLineClamp !== 'none' && element.scrollHeight > element.clientHeight)
  );
}
