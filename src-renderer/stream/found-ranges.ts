import { laidOutPattern } from './text-search.ts';

/** As the style sheet names them. */
const foundName = 'found-text';
const currentName = 'found-current';

/** The ranges of an element's text in which `wanted` stands, in order, whatever elements they reach through. */
export function rangesIn(element: Element, wanted: string): Range[] {
  if (wanted.trim() === '') return [];
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  return [...text.matchAll(laidOutPattern(wanted))].map((match) => {
    const range = document.createRange();
    const [from, to] = [match.index, match.index + match[0].length];
    const first = nodes.findLast(({ start }) => start <= from);
    const last = nodes.findLast(({ start }) => start < to);
    if (first !== undefined) range.setStart(first.node, from - first.start);
    if (last !== undefined) range.setEnd(last.node, to - last.start);
    return range;
  });
}

/** Marks these ranges, the current one more than the others, without changing the document. */
export function showFound(ranges: readonly Range[], current: Range | null): void {
  const others = new Highlight(...ranges.filter((range) => range !== current));
  const one = current === null ? new Highlight() : new Highlight(current);
  one.priority = 1;
  CSS.highlights.set(foundName, others);
  CSS.highlights.set(currentName, one);
}

/** Takes the marks away. */
export function hideFound(): void {
  CSS.highlights.delete(foundName);
  CSS.highlights.delete(currentName);
}
