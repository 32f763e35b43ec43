import { laidOutPattern } from './text-search.ts';

/** The name in the style sheet. */
const foundName = 'found-text';
const currentName = 'found-current';

/** The ranges of an element's text that match `wanted`, in order. A match may extend over several elements. */
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

/** Highlights these ranges, the current one more strongly, without changing the document. */
export function showFound(ranges: readonly Range[], current: Range | null): void {
  const others = new Highlight(...ranges.filter((range) => range !== current));
  const one = current === null ? new Highlight() : new Highlight(current);
  one.priority = 1;
  CSS.highlights.set(foundName, others);
  CSS.highlights.set(currentName, one);
}

/** Removes the highlights. */
export function hideFound(): void {
  CSS.highlights.delete(foundName);
  CSS.highlights.delete(currentName);
}
