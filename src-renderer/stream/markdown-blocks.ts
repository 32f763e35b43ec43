/**
 * Cuts growing markdown into blocks that are rendered separately, so that only the last block is parsed again while
 * text streams in. A block never changes when the next one has begun, however the text arrived, and none is longer than
 * can be parsed in one frame.
 */

import { mathSpans, maxMathChars } from './escape-math.ts';

export interface Block {
  /** The offset of the block in the whole text. */
  start: number;
  text: string;
  /** What the block continues, to be read before its text: the opening of a long fence, the head of a long table. */
  opens: string;
}

export interface BlockCutter {
  /** The block that may still grow. Null at the start. */
  readonly open: Block | null;
  /** Adds text, and returns the blocks that this closes. */
  append(text: string): Block[];
}

/** A longer block is closed at the next line end where markdown allows it, so that parsing stays fast. */
const longBlockChars = 3_000;
/** If markdown allows that nowhere, the block is cut at about this length anyway. */
const maxBlockChars = 5_000;
/** A block is cut like this only when this much of it is there: math that began before the cut has then ended. */
const surelyTooLongChars = maxBlockChars + maxMathChars;

const fence = /^ {0,3}(`{3,}|~{3,})/;
const listMarker = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const indented = /^(?:\t| {2,})\S/;
const tableHead = /^[^\n|]*\|[^\n]*\n {0,3}\|?(?: *:?-+:? *\|)+ *(?::?-+:? *)?\n/;

/** A cutter that begins at `start` of a text. `opens` is a fence or table that continues there. */
export function createBlockCutter(start = 0, opens = ''): BlockCutter {
  let open: Block | null = opens === '' ? null : { start, text: '', opens };
  return {
    get open() {
      return open;
    },
    append(text) {
      if (text === '') return [];
      open = { start: open?.start ?? start, text: (open?.text ?? '') + text, opens: open?.opens ?? '' };
      const closed: Block[] = [];
      for (let end = blockEnd(open); end !== null; end = blockEnd(open)) {
        closed.push({ ...open, text: open.text.slice(0, end.at) });
        open = { start: open.start + end.at, text: open.text.slice(end.at), opens: end.opens };
      }
      return closed;
    },
  };
}

/** All blocks of a text that begins at `start` and continues `opens`. */
export function cutBlocks(text: string, start: number, opens: string): Block[] {
  const cutter = createBlockCutter(start, opens);
  const closed = cutter.append(text);
  return cutter.open === null || cutter.open.text === '' ? closed : [...closed, cutter.open];
}

/** Where a block ends, and what the next one continues. */
interface BlockEnd {
  at: number;
  opens: string;
}

/** Where an open block certainly ends, or null while that is not known. */
function blockEnd({ text: whole, opens }: Block): BlockEnd | null {
  const text = whole.slice(0, surelyTooLongChars);
  const end = freeEnd(text, opens);
  if (typeof end === 'number') return { at: end, opens: '' };
  return text.length < surelyTooLongChars ? null : forcedEnd(text, opens, end.openFence);
}

/** Where markdown allows a block to end, or the opening line of an unfinished fence. */
function freeEnd(text: string, opens: string): number | { openFence: string | null } {
  let openFence = fence.test(opens) ? opens : null;
  let openMath: { closing: string; start: number } | null = null;
  let isList: boolean | null = opens === '' ? null : false;
  let blankBefore = false;
  let lineStart = 0;
  while (lineStart < text.length) {
    const newline = text.indexOf('\n', lineStart);
    if (openMath !== null && lineStart - openMath.start > maxMathChars) openMath = null;
    const isFree = openFence === null && openMath === null;
    if (newline === -1) {
      // The last line may still grow, but its first character may be enough to decide.
      const begins = text.slice(lineStart);
      const isSurelyNext =
        blankBefore && isFree && isList !== null && (isList ? /^[^\s\d*+-]/.test(begins) : begins.trim() !== '');
      return isSurelyNext ? lineStart : { openFence };
    }
    const line = text.slice(lineStart, newline);
    const lineEnd = newline + 1;
    const isBlank = line.trim() === '';

    if (isFree && !isBlank && isList !== null) {
      if (blankBefore && !continues(line, isList)) return lineStart;
      // A very long list or paragraph is cut at a line that opens an item or follows a blank line.
      if (lineStart > longBlockChars && (blankBefore || listMarker.test(line)) && !indented.test(line))
        return lineStart;
    }
    if (!isBlank) {
      isList ??= listMarker.test(line);
      const mark = fence.exec(line)?.[1];
      if (openFence !== null) {
        if (mark?.startsWith(fence.exec(openFence)?.[1] ?? '') === true && line.trim() === mark) {
          openFence = null;
          if (!isList) return lineEnd;
        }
      } else if (openMath !== null) openMath = line.includes(openMath.closing) ? null : openMath;
      else if (mark !== undefined) openFence = `${line}\n`;
      else {
        const closing = mathLeftOpen(line);
        openMath = closing === null ? null : { closing, start: lineStart };
      }
    }
    blankBefore = isBlank;
    lineStart = lineEnd;
  }
  return { openFence };
}

/** Where a very long block is cut: at a line end, or else at a space, outside of math. */
function forcedEnd(text: string, opens: string, openFence: string | null): BlockEnd {
  const head = tableHead.exec(opens + text)?.[0] ?? '';
  const inside =
    openFence === null
      ? mathSpans(text).find(({ start, end }) => start > 0 && start < maxBlockChars && end >= maxBlockChars)
      : undefined;
  const max = inside?.start ?? maxBlockChars;
  const lineEnd = text.lastIndexOf('\n', max - 1) + 1;
  const endMessage = text.lastIndexOf(' ', max - 1) + 1;
  const isPair = /[\uDC00-\uDFFF]/.test(text.charAt(max));
  const at = lineEnd > 0 ? lineEnd : endMessage > 0 ? endMessage : isPair ? max - 1 : max;
  return { at, opens: openFence ?? (lineEnd > 0 ? head : '') };
}

/** What closes the multi-line math that a line opens. Null if it opens none. */
function mathLeftOpen(line: string): string | null {
  if (!line.includes('$$') && !line.includes('\\')) return null;
  const prose = line.replaceAll(/`[^`]*`/g, '');
  const opening = /\$\$|\\\[|\\begin\{([A-Za-z]+\*?)\}|\\./g;
  for (let found = opening.exec(prose); found !== null; found = opening.exec(prose)) {
    const closing =
      found[0] === '$$' ? '$$' : found[0] === '\\[' ? '\\]' : found[1] === undefined ? null : `\\end{${found[1]}}`;
    if (closing === null) continue;
    const end = prose.indexOf(closing, opening.lastIndex);
    if (end === -1) return closing;
    opening.lastIndex = end + closing.length;
  }
  return null;
}

/**
 * True if a line after a blank one still belongs to the block: it is indented under it, or is the next item of the same
 * list.
 */
function continues(line: string, isList: boolean): boolean {
  return isList && (indented.test(line) || listMarker.test(line));
}
