/**
 * Markdown of any length as sections: adjacent blocks of about a screen, which are the rows of the virtual list. Only
 * the beginnings of sections are kept. Their blocks are cut again from the text when they come into view.
 */

import { createBlockCutter, cutBlocks, type Block } from './markdown-blocks.ts';
import { lastAtOrBefore, type TextSource } from './text-source.ts';

export interface MarkdownSections {
  readonly count: number;
  /** How many characters have been cut. */
  readonly length: number;
  /** The offset at which a section begins. For a section that does not exist, the end of what was cut. */
  startOf(section: number): number;
  /** The section that contains an offset of the text. */
  sectionAt(place: number): number;
  /** Its estimated height before it is measured, in px. */
  heightOf(section: number): number;
  /** The first section that is shown. Those before it would make the page taller than browsers can lay out. */
  readonly firstShown: number;
  blocksOf(section: number): readonly Block[];
  /** Cuts at most this many more characters of the source. Returns true when all of it is cut. */
  take(maxChars: number): boolean;
}

/** A section of this length is full. */
const sectionChars = 2_400;
/** As in the style sheet: the height of a line, its characters, and the space below a paragraph. */
const linePx = 22;
const lineChars = 74;
const paragraphGapPx = 9;
/** Browsers cannot lay out more than about 33,000,000 px. */
const tallestPx = 24_000_000;
/** How many sections are dropped from the front at a time. */
const leavingTogether = 500;
/** For how many sections the blocks are cached. */
const maxCached = 40;

/** The sections of a source that may still grow. Empty before `take` is called. */
export function createMarkdownSections(source: Pick<TextSource, 'segments' | 'slice'>): MarkdownSections {
  const starts: number[] = [];
  const heights: number[] = [];
  const opens = new Map<number, string>();
  const cached = new Map<number, { end: number; blocks: readonly Block[] }>();
  const cutter = createBlockCutter();
  let length = 0;
  let allPx = 0;
  let firstShown = 0;
  let segment = 0;
  let offset = 0;

  function begin(block: Block): void {
    if (block.opens !== '') opens.set(starts.length, block.opens);
    starts.push(block.start);
    heights.push(0);
  }

  /** Adds a closed block to the last section, or begins one with it. */
  function add(block: Block): void {
    const last = starts.length - 1;
    // The open block may have begun a section already when it was first seen.
    const isBegun = starts[last] === block.start;
    if (!isBegun && (last === -1 || block.start - (starts[last] ?? 0) >= sectionChars)) begin(block);
    const height = likelyPx(block.text);
    heights[heights.length - 1] = (heights.at(-1) ?? 0) + height;
    allPx += height;
    while (allPx > tallestPx) {
      for (let count = 0; count < leavingTogether; count += 1) allPx -= heights[firstShown + count] ?? 0;
      firstShown += leavingTogether;
    }
  }

  const startOf = (section: number): number => starts[section] ?? length;
  return {
    get count() {
      return starts.length;
    },
    get length() {
      return length;
    },
    get firstShown() {
      return firstShown;
    },
    startOf,
    sectionAt: (place) => lastAtOrBefore(starts, place),
    heightOf: (section) => Math.max(linePx, heights[section] ?? 0),
    blocksOf(section) {
      const [start, end] = [startOf(section), startOf(section + 1)];
      const known = cached.get(section);
      if (known?.end === end) return known.blocks;
      if (cached.size >= maxCached) cached.clear();
      const blocks = cutBlocks(source.slice(start, end), start, opens.get(section) ?? '');
      cached.set(section, { end, blocks });
      return blocks;
    },
    take(maxChars) {
      for (let left = maxChars; left > 0 && segment < source.segments.length;) {
        const text = source.segments[segment] ?? '';
        const piece = text.slice(offset, offset + left);
        for (const block of cutter.append(piece)) add(block);
        left -= piece.length;
        length += piece.length;
        offset += piece.length;
        if (offset === text.length) [segment, offset] = [segment + 1, 0];
      }
      const { open } = cutter;
      const last = starts.at(-1);
      if (open !== null && open.text !== '' && last !== open.start)
        if (last === undefined || open.start - last >= sectionChars) begin(open);
      return segment === source.segments.length;
    },
  };
}

function likelyPx(text: string): number {
  const lines = text.split('\n').length - 1;
  return Math.max(1, Math.ceil(text.length / lineChars + lines / 3)) * linePx + paragraphGapPx;
}
