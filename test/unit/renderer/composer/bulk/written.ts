import type { BulkFormat, ParsedInputs } from '../../../../../src-renderer/composer/bulk/parsed-inputs.ts';
import { parseInputs } from '../../../../../src-renderer/composer/bulk/read-inputs.ts';

/** A whole parse at once. */
export function parsed(text: string, wanted: BulkFormat | null = null, isTextCells = false): ParsedInputs {
  const steps = parseInputs(text, { wanted, isTextCells });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The inputs as values. */
export function valuesOf(result: ParsedInputs): unknown[] {
  return result.good.map(({ inputText }): unknown => JSON.parse(inputText));
}

/** A table as RFC 4180 writes it. */
export function csvOf(
  rows: readonly (readonly string[])[],
  { delimiter = ',', newline = '\r\n' }: { delimiter?: string; newline?: string } = {},
): string {
  const cell = (text: string): string =>
    text === '' || /["\r\n]|^\s|\s$/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  return rows.map((row) => row.map(cell).join(delimiter)).join(newline);
}
