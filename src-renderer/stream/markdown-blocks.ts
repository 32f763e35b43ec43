/**
 * Cuts growing markdown into blocks that render apart, so that while text streams in only the last block is parsed
 * again. A block never changes once the next one has begun.
 */

import type { TextSource } from './text-source.ts';

interface Block {
  /** Offset of the block in the whole text. */
  start: number;
  text: string;
}

export interface BlockCutter {
  readonly blocks: readonly Block[];
  append(text: string): void;
}

/** A block longer than this is closed at the next line end where markdown allows it, so that parsing stays cheap. */
const longBlockChars = 3_000;

const fence = /^ {0,3}(`{3,}|~{3,})/;
const listMarker = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const indented = /^(?:\t| {2,})\S/;

/** An empty cutter. `blocks` keeps the identity of every closed block; only the last may be replaced. */
export function createBlockCutter(): BlockCutter {
  const blocks: Block[] = [];
  let openStart = 0;
  let openText = '';

  function close(atLength: number): void {
    blocks.push({ start: openStart, text: openText.slice(0, atLength) });
    openStart += atLength;
    openText = openText.slice(atLength);
  }

  return {
    blocks,
    append(text) {
      if (text === '') return;
      if (openText !== '') blocks.pop();
      openText += text;
      for (let at = blockEnd(openText); at !== null; at = blockEnd(openText)) close(at);
      if (openText !== '') blocks.push({ start: openStart, text: openText });
    },
  };
}

/** A block, and whether its turn to be parsed has come; until then it stands as plain text. */
export interface ReadBlock extends Block {
  isParsed: boolean;
}

export interface BlockReader {
  /**
   * Takes what is new of the text, and parses as much more as one frame can. From the end where the reader looks there.
   */
  read(isFromEnd: boolean): { blocks: readonly ReadBlock[]; isAllParsed: boolean };
}

/** Markdown parsed in one frame at most, in characters. */
const parsedPerFrame = 2_000;

/** Reads a growing text in blocks, each parsed once. */
export function createBlockReader(source: Pick<TextSource, 'segments'>): BlockReader {
  const cutter = createBlockCutter();
  const parsed = new Set<number>();
  let taken = 0;

  return {
    read(isFromEnd) {
      for (; taken < source.segments.length; taken += 1) cutter.append(source.segments[taken] ?? '');
      let budget = parsedPerFrame;
      for (const block of isFromEnd ? cutter.blocks.toReversed() : cutter.blocks) {
        if (parsed.has(block.start)) continue;
        if (budget <= 0) break;
        parsed.add(block.start);
        budget -= block.text.length;
      }
      const blocks = cutter.blocks.map((block) => ({ ...block, isParsed: parsed.has(block.start) }));
      return { blocks, isAllParsed: blocks.every(({ isParsed }) => isParsed) };
    },
  };
}

/** Where the first block of `text` surely ends, or null while that is not known yet. */
function blockEnd(text: string): number | null {
  let openFence: string | null = null;
  let isList: boolean | null = null;
  let blankBefore = false;
  let lineStart = 0;
  while (lineStart < text.length) {
    const newline = text.indexOf('\n', lineStart);
    if (newline === -1) {
      // The last line may still grow, but its first character can tell enough.
      const begins = text.slice(lineStart);
      const isSurelyNext =
        blankBefore &&
        openFence === null &&
        isList !== null &&
        (isList ? /^[^\s\d*+-]/.test(begins) : begins.trim() !== '');
      return isSurelyNext ? lineStart : null;
    }
    const line = text.slice(lineStart, newline);
    const lineEnd = newline + 1;
    const isBlank = line.trim() === '';

    if (openFence === null && !isBlank && isList !== null && blankBefore && !continues(line, isList)) return lineStart;
    // A list or a paragraph without end: cut at a line that opens an item or follows a blank one.
    if (
      openFence === null &&
      !isBlank &&
      lineStart > longBlockChars &&
      (blankBefore || listMarker.test(line)) &&
      !indented.test(line)
    )
      return lineStart;

    if (!isBlank) {
      isList ??= listMarker.test(line);
      const mark = fence.exec(line)?.[1];
      if (openFence === null && mark !== undefined) openFence = mark;
      else if (openFence !== null && mark !== undefined && mark.startsWith(openFence) && line.trim() === mark) {
        openFence = null;
        if (!isList) return lineEnd;
      }
    }
    blankBefore = isBlank;
    lineStart = lineEnd;
  }
  return null;
}

/**
 * True when a line after a blank one still belongs to the block: indented under it, or the next item of the same list.
 */
function continues(line: string, isList: boolean): boolean {
  return isList && (indented.test(line) || listMarker.test(line));
}
