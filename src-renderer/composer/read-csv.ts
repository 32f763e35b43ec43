import { tableText } from '../messages/composer/rows.ts';

/** The delimiter between cells. */
export type Delimiter = ',' | ';' | '\t';

/** One cell. A quoted cell is never treated as missing. */
export interface Cell {
  text: string;
  isQuoted: boolean;
}

/** A record of RFC 4180: its cells, where it begins, and what is wrong with its quotes. */
export interface CsvRecord {
  line: number;
  /** Its text in the file, without its line end. */
  raw: string;
  cells: Cell[];
  problem: string | null;
}

/**
 * Reads a file's records one by one: quotes, doubled quotes, line breaks within quotes, and CRLF or LF between records.
 */
export function* readCsv(text: string, delimiter: Delimiter): Generator<CsvRecord> {
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const start = at;
    const startLine = line;
    const cells: Cell[] = [];
    let problem: string | null = null;
    let isEnd = false;
    while (!isEnd) {
      if (text[at] === '"') {
        const close = closingQuote(text, at);
        if (close === null) {
          problem = tableText.quoteNotClosed;
          // Only this line is affected. The next ones are read normally.
          at = lineEnd(text, start);
          line = startLine;
          cells.push({ text: '', isQuoted: true });
        } else {
          const inner = text.slice(at + 1, close);
          line += countBreaks(inner);
          cells.push({ text: inner.includes('""') ? inner.replaceAll('""', '"') : inner, isQuoted: true });
          at = close + 1;
          const end = cellEnd(text, at, delimiter);
          if (text.slice(at, end).trim() !== '') problem ??= tableText.textAfterQuote(cells.length);
          at = end;
        }
      } else {
        const end = cellEnd(text, at, delimiter);
        cells.push({ text: text.slice(at, end), isQuoted: false });
        at = end;
      }
      if (text[at] === delimiter) at += 1;
      else isEnd = true;
    }
    const raw = text.slice(start, at);
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    line += 1;
    const [only] = cells;
    if (cells.length === 1 && only !== undefined && !only.isQuoted && only.text.trim() === '') continue;
    yield { line: startLine, raw, cells, problem };
  }
}

/** The end of an unquoted cell: before the delimiter or the line's end. */
function cellEnd(text: string, from: number, delimiter: Delimiter): number {
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === delimiter || sign === '\n' || (sign === '\r' && text[at + 1] === '\n')) return at;
  }
  return text.length;
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  if (at === -1) return text.length;
  return text[at - 1] === '\r' ? at - 1 : at;
}

function closingQuote(text: string, open: number): number | null {
  let at = open + 1;
  for (;;) {
    at = text.indexOf('"', at);
    if (at === -1) return null;
    if (text[at + 1] !== '"') return at;
    at += 2;
  }
}

function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The delimiter that divides the header into the most cells. A comma if none does. */
export function delimiterOf(text: string): Delimiter {
  const cellsBy = (delimiter: Delimiter): number => {
    const header = readCsv(text, delimiter).next();
    return header.done === true ? 0 : header.value.cells.length;
  };
  const all: Delimiter[] = [',', ';', '\t'];
  return all.reduce((best, delimiter) => (cellsBy(delimiter) > cellsBy(best) ? delimiter : best));
}

/** A file's text without its byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith('\u{feff}') ? text.slice(1) : text;
}
