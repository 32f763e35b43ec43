/**
 * Rows for the virtualised plain text view: text of any length cut at a column, so that every row has one height and
 * 50 MB scroll like 50 lines. Only the last row ever changes.
 */

export interface TextRows {
  readonly columns: number;
  /** Visual rows, without their line ends. */
  readonly rows: readonly string[];
  append(text: string): void;
}

/** How far back from the edge a space is looked for before a word is cut. */
const softBreakColumns = 24;

/** Empty rows of `columns` cells (at least 20). Wide characters take two cells, tabs go to the next multiple of `tabColumns`. */
export function createTextRows(columns: number, tabColumns = 2): TextRows {
  const width = Math.max(20, Math.floor(columns));
  const rows: string[] = [];
  let openRow = '';
  let hasOpenRow = false;

  return {
    columns: width,
    rows,
    append(text) {
      if (text === '') return;
      if (hasOpenRow) rows.pop();
      const whole = openRow + text;
      let lineStart = 0;
      for (;;) {
        const newline = whole.indexOf('\n', lineStart);
        const isLast = newline === -1;
        const lineEnd = isLast ? whole.length : newline > lineStart && whole.charCodeAt(newline - 1) === 13 ? newline - 1 : newline;
        const lastRowStart = wrapLine(whole, lineStart, lineEnd, width, tabColumns, rows);
        if (isLast) {
          openRow = whole.slice(lastRowStart);
          hasOpenRow = true;
          return;
        }
        lineStart = newline + 1;
      }
    },
  };
}

/** Pushes the visual rows of one line and answers where the last of them begins. */
function wrapLine(text: string, from: number, to: number, width: number, tabColumns: number, rows: string[]): number {
  let rowStart = from;
  let column = 0;
  let lastSpace = -1;
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    const isPair = code >= 0xd800 && code <= 0xdbff && at + 1 < to;
    const cells = code === 9 ? tabColumns - (column % tabColumns) : isPair || isWide(code) ? 2 : 1;
    if (column + cells > width && at > rowStart) {
      const breakAt = lastSpace > rowStart && at - lastSpace <= softBreakColumns ? lastSpace + 1 : at;
      rows.push(text.slice(rowStart, breakAt));
      rowStart = breakAt;
      at = breakAt;
      column = 0;
      lastSpace = -1;
      continue;
    }
    if (code === 32 || code === 9) lastSpace = at;
    column += cells;
    at += isPair ? 2 : 1;
  }
  rows.push(text.slice(rowStart, to));
  return rowStart;
}

/** East Asian wide and fullwidth ranges, coarsely. */
function isWide(code: number): boolean {
  return (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) || (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) || (code >= 0xffe0 && code <= 0xffe6);
}
