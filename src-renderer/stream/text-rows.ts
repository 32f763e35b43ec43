import { lastAtOrBefore, type TextSource } from './text-source.ts';

/**
 * Rows for the virtualised plain text view: text of any length, cut at a column so that every row has the same height
 * and 50 MB scroll like 50 lines. Only the beginnings of rows are kept, not their text. Only the last row ever changes.
 */
export interface TextRows {
  readonly columns: number;
  readonly count: number;
  /** Cells that the widest row takes, at most `columns`; more than it does where characters are wide or narrow. */
  readonly widest: number;
  /** The offset at which a row begins. For one that does not exist yet, the end of the text so far. */
  startOf(row: number): number;
  /** The row that contains an offset of the text. */
  rowAt(place: number): number;
  append(text: string): void;
}

/** How far back from the edge a space is searched for, before a word is cut. */
const softBreakColumns = 24;
/** Anything except characters of one cell and line ends. */
const needsMeasuring = /[^\n\r -~]/;

/**
 * Empty rows of `columns` cells (at least 20). Wide characters take two cells, tabs extend to the next multiple of
 * `tabColumns`.
 */
export function createTextRows(columns: number, tabColumns = 2): TextRows {
  const width = Math.max(20, Math.floor(columns));
  const starts: number[] = [];
  let openRow = '';
  let length = 0;
  let widest = 0;

  return {
    columns: width,
    get count() {
      return starts.length;
    },
    get widest() {
      return widest;
    },
    startOf: (row) => starts[row] ?? length,
    rowAt: (place) => lastAtOrBefore(starts, place),
    append(text) {
      if (text === '') return;
      const base = starts.pop() ?? 0;
      const whole = openRow + text;
      length = base + whole.length;
      const isMeasured = needsMeasuring.test(whole);
      const wrap = isMeasured ? wrapMeasured : wrapPlain;
      for (let lineStart = 0; ;) {
        const newline = whole.indexOf('\n', lineStart);
        const end = newline === -1 ? whole.length : newline;
        // A line end takes no cell. After a carriage return at the end of the text so far, a line feed may still come.
        const lineEnd = end > lineStart && whole.charCodeAt(end - 1) === 13 ? end - 1 : end;
        widest = Math.max(widest, Math.min(width, (lineEnd - lineStart) * (isMeasured ? 2 : 1)));
        const lastRowStart = wrap(whole, lineStart, lineEnd, width, (at) => void starts.push(base + at), tabColumns);
        if (newline === -1) {
          openRow = whole.slice(lastRowStart);
          return;
        }
        lineStart = newline + 1;
      }
    },
  };
}

/** The text of a row without its line end. */
export function rowText(source: Pick<TextSource, 'slice'>, rows: TextRows, row: number): string {
  const text = source.slice(rows.startOf(row), rows.startOf(row + 1));
  if (!text.endsWith('\n')) return text;
  return text.slice(0, text.endsWith('\r\n') ? -2 : -1);
}

/** Calls `begin` with the beginnings of a line's rows, and returns the last of them. */
type Wrap = (
  text: string,
  from: number,
  to: number,
  width: number,
  begin: (at: number) => void,
  tabColumns: number,
) => number;

/** For a line of characters with one cell each, whose breaks can be computed. */
const wrapPlain: Wrap = (text, from, to, width, begin) => {
  let rowStart = from;
  begin(rowStart);
  while (to - rowStart > width) {
    const edge = rowStart + width;
    let breakAt = edge;
    for (let at = edge - 1; at > rowStart && at >= edge - softBreakColumns; at -= 1) {
      if (text.charCodeAt(at) !== 32) continue;
      breakAt = at + 1;
      break;
    }
    rowStart = breakAt;
    begin(rowStart);
  }
  return rowStart;
};

const wrapMeasured: Wrap = (text, from, to, width, begin, tabColumns) => {
  let rowStart = from;
  let column = 0;
  let lastSpace = -1;
  let at = from;
  begin(rowStart);
  while (at < to) {
    const code = text.charCodeAt(at);
    const isPair = code >= 0xd800 && code <= 0xdbff && at + 1 < to;
    const cells = code === 9 ? tabColumns - (column % tabColumns) : isPair || isWide(code) ? 2 : 1;
    if (column + cells > width && at > rowStart) {
      rowStart = lastSpace > rowStart && at - lastSpace <= softBreakColumns ? lastSpace + 1 : at;
      begin(rowStart);
      at = rowStart;
      column = 0;
      lastSpace = -1;
      continue;
    }
    if (code === 32 || code === 9) lastSpace = at;
    column += cells;
    at += isPair ? 2 : 1;
  }
  return rowStart;
};

/** Roughly the East Asian wide and fullwidth ranges. */
function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6)
  );
}
