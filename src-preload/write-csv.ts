/** A cell: a number that we computed, or a text of any origin. */
export type Cell = string | number | boolean | null;

/** A spreadsheet runs a text with this beginning as a formula. Some also accept the full-width signs of East Asia. */
const formulaStart = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/** A text that no spreadsheet runs as a formula: as `csvField` writes it, without quotes. */
export function withoutFormula(text: string): string {
  return isFormula(text) ? `'${text}` : text;
}

/** One record with its line end (RFC 4180). */
export function csvRecord(cells: readonly Cell[]): string {
  return `${csvFields(cells)}\r\n`;
}

/** As `csvRecord`, for the first cells of a record. */
export function csvFields(cells: readonly Cell[]): string {
  return cells.map((cell) => (typeof cell === 'string' ? csvField(cell) : String(cell ?? ''))).join(',');
}

/**
 * A text as a field of a CSV file (RFC 4180). An apostrophe is put before what a spreadsheet would run as a formula,
 * because outputs come from workers and cannot be trusted. Fields with blanks at the ends are quoted, because some
 * readers would drop the blanks.
 */
export function csvField(text: string): string {
  const safe = withoutFormula(text);
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Whether a spreadsheet would run a text with this beginning as a formula. */
function isFormula(text: string): boolean {
  return formulaStart.test(text);
}
