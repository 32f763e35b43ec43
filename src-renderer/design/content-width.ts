/** The width of an element's content in pixels, even if it is cut off. */
export function contentPx(element: Element): number {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect().width;
}
