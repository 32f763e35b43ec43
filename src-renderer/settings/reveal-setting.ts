/** If there are several radio buttons, the chosen one, as for Tab. */
const focusable = [
  'button:not([disabled])',
  'input:not([disabled], [type="radio"]:not(:checked))',
  'textarea',
  '[role="combobox"]',
  '[tabindex="0"]',
].join();
/** How long a page may take to show its setting, in milliseconds. */
const longestMs = 3_000;

/**
 * Scrolls a page of the settings to a setting and focuses its control, as soon as the page has it. Returns the function
 * that stops waiting.
 */
export function revealSetting(page: HTMLElement, name: string): () => void {
  const observer = new MutationObserver(() => show());
  const timer = setTimeout(() => observer.disconnect(), longestMs);
  const stop = (): void => {
    clearTimeout(timer);
    observer.disconnect();
  };
  const show = (): boolean => {
    const title = titleIn(page, name);
    if (title === null) return false;
    stop();
    title.scrollIntoView({ block: 'center' });
    controlOf(page, title)?.focus({ preventScroll: true });
    return true;
  };
  if (!show()) observer.observe(page, { childList: true, subtree: true, characterData: true });
  return stop;
}

/** The element whose own text is the name. */
function titleIn(page: HTMLElement, name: string): Element | null {
  const texts = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  while (texts.nextNode() !== null) {
    const { textContent, parentElement } = texts.currentNode;
    if (textContent?.trim() === name && parentElement !== null) return parentElement;
  }
  return null;
}

/** The control beside the name, or in the nearest part around both: the one after the name, or else the first. */
function controlOf(page: HTMLElement, title: Element): HTMLElement | null {
  for (let part = title.parentElement; part !== null && page.contains(part); part = part.parentElement) {
    const controls = [...part.querySelectorAll<HTMLElement>(focusable)];
    const follows = (each: Element): boolean =>
      (title.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    if (controls.length > 0) return controls.find(follows) ?? controls[0] ?? null;
  }
  return null;
}
