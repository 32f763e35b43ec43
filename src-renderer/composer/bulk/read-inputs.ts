import { parseCsv } from './csv-inputs.ts';
import { delimiterOf, readCsv, type Delimiter } from '../read-csv.ts';
import { parseJsonSequence } from './json-sequence.ts';
import {
  type BulkFormat,
  type ParseSteps,
  charsAStep,
  inputProblem,
  rowsAStep,
  shownText,
  type BadInput,
  type GoodInput,
} from './parsed-inputs.ts';
import { formatText, rowText } from '../../messages/composer/rows.ts';
import { checkableText, placeholdersIn } from '../variables/placeholders.ts';
import { checkJson } from '../../../src-preload/json-check.ts';

/** The detected format of a text, with the reason. */
export interface Detected {
  format: BulkFormat;
  /** Only for csv. */
  delimiter: Delimiter;
  /** For the user: `NDJSON: the first line is a whole object`. */
  reason: string;
}

/** How much of a first line is checked. */
const lookedAtChars = 1_000_000;

/** Detects the format from the beginning of the text. Null if it is empty. */
export function detect(text: string): Detected | null {
  const start = text.search(/\S/);
  if (start === -1) return null;
  const end = text.indexOf('\n', start);
  const firstLine = text.slice(start, Math.min(end === -1 ? text.length : end, start + lookedAtChars)).trim();
  if (firstLine.startsWith('[')) return { format: 'json', delimiter: ',', reason: formatText.array };
  if (firstLine.startsWith('{')) {
    // An invalid first line is still a line if it ends like one.
    if (isJson(firstLine) || (firstLine.endsWith('}') && end !== -1 && text.slice(end).trimStart().startsWith('{')))
      return { format: 'ndjson', delimiter: ',', reason: formatText.ndjson };
    return { format: 'json', delimiter: ',', reason: formatText.objects };
  }
  const delimiter = delimiterOf(text.slice(start, start + lookedAtChars));
  const header = readCsv(text.slice(start, start + lookedAtChars), delimiter).next();
  const columns = header.done === true ? 0 : header.value.cells.length;
  return {
    format: 'csv',
    delimiter,
    reason: columns === 1 ? formatText.oneColumn : formatText.columns(columns, delimiter),
  };
}

/** Parses in small steps. `wanted` null: in the detected format. */
export function parseInputs(text: string, options: { wanted: BulkFormat | null; isTextCells: boolean }): ParseSteps {
  const detected = detect(text);
  switch (options.wanted ?? detected?.format ?? 'ndjson') {
    case 'ndjson':
      return parseNdjson(text);
    case 'json':
      return parseJsonSequence(text);
    case 'csv':
      return parseCsv(text, {
        delimiter: detected?.format === 'csv' ? detected.delimiter : delimiterOf(text.slice(0, lookedAtChars)),
        isTextCells: options.isTextCells,
      });
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(checkableText(text, placeholdersIn(text)));
    return true;
  } catch {
    return false;
  }
}

/** Reads one JSON object per line. Empty lines are skipped; a CR before a line's end is not part of the line. */
function* parseNdjson(text: string): ParseSteps {
  const good: GoodInput[] = [];
  const bad: BadInput[] = [];
  let chars = 0;
  for (let at = 0, line = 1; at < text.length; line += 1) {
    const end = text.indexOf('\n', at);
    const inputText = text.slice(at, end === -1 ? text.length : end).trim();
    at = end === -1 ? text.length : end + 1;
    chars += inputText.length;
    if (inputText !== '') {
      const message = inputProblem(inputText, explainLine);
      if (message === null) good.push({ line, inputText });
      else bad.push({ line, message, text: shownText(inputText) });
    }
    if (line % rowsAStep === 0 || chars >= charsAStep) {
      chars = 0;
      yield;
    }
  }
  return { good, bad };
}

function explainLine(inputText: string): string {
  const checked = checkJson(inputText);
  return checked.ok ? rowText.notJson : rowText.notJsonAt(checked.column, checked.reason);
}
