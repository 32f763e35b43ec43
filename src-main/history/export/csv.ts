/** A cell: a number as we computed it, or a text that anybody may have written. */
export type Cell = string | number | boolean | null;

/** A spreadsheet takes a text that begins so for a formula, and runs it; some take the wide signs of East Asia too. */
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** One record with its line end (RFC 4180). A text that looks like a formula gets an apostrophe before it. */
export function csvRecord(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = formulaStart.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
