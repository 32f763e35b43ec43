/** A cell: a number as we computed it, or a text that anybody may have written. */
export type Cell = string | number | boolean | null;

/** A spreadsheet takes a text that begins so for a formula, and runs it; some take the wide signs of East Asia too. */
const formulaStart = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/** One record with its line end (RFC 4180). */
export function csvRecord(cells: readonly Cell[]): string {
  return `${cells.map((cell) => (typeof cell === 'string' ? csvField(cell) : String(cell ?? ''))).join(',')}\r\n`;
}

/**
 * A text as a field of a CSV file (RFC 4180). What a spreadsheet would run as a formula gets an apostrophe before it,
 * because the author of the worker decides what an output says. Blanks at the ends are quoted: a reader may drop them.
 */
export function csvField(text: string): string {
  const safe = formulaStart.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
