import type { Place } from './stack-text.ts';

const LINES_AROUND = 2;
const WIDTH_MAX = 120;

/**
 * The lines of a source around a place, numbered, the place's own line marked with `>` and its
 * column with a caret below it. Empty when the source has no such line. Of lines too long to read
 * only the part around the column is shown.
 */
export function codeFrame(source: string, { line, column }: Pick<Place, 'line' | 'column'>): string[] {
  const lines = source.split(/\r?\n/);
  // The end of the last line is no line, unless it is what something is missing from.
  if (lines.at(-1) === '' && line < lines.length) lines.pop();
  if (line < 1 || line > lines.length) return [];
  const first = Math.max(1, line - LINES_AROUND);
  const last = Math.min(lines.length, line + LINES_AROUND);
  const numberWidth = String(last).length;
  const cutAt = column > WIDTH_MAX ? column - WIDTH_MAX / 2 : 0;

  return lines.slice(first - 1, last).flatMap((whole, index) => {
    const text = whole.slice(cutAt, cutAt + WIDTH_MAX);
    const number = first + index;
    const shown = `${number === line ? '>' : ' '} ${String(number).padStart(numberWidth)} | ${text}`.trimEnd();
    if (number !== line || column < 1) return [shown];
    // Tabs stay tabs, so that the caret stands where the text does.
    const before = text.slice(0, column - 1 - cutAt).replaceAll(/[^\t]/g, ' ');
    return [shown, `  ${' '.repeat(numberWidth)} | ${before}^`];
  });
}
