import { readCsv, type Cell, type CsvRecord, type Delimiter } from '../read-csv.ts';
import { tableText } from '../../messages/composer/rows.ts';
import { placeholdersIn } from '../variables/placeholders.ts';
import { charsAStep, rowsAStep, shownText } from './parsed-inputs.ts';
import type { BadInput, GoodInput, ParseSteps } from './parsed-inputs.ts';

export interface CsvOptions {
  delimiter: Delimiter;
  /** Every cell becomes a JSON string, even if it looks like a number. */
  isTextCells: boolean;
}

/**
 * Reads one input per row, after a header row. `sampling.max_tokens` in the header makes
 * `{"sampling": {"max_tokens": ...}}`. A cell that is a JSON number, true, false, null, object or list becomes that,
 * with every digit, and a `{{name}}` stays a placeholder; anything else is a string. An empty cell is left out of its
 * input; `""` is an empty string.
 */
export function* parseCsv(text: string, { delimiter, isTextCells }: CsvOptions): ParseSteps {
  const good: GoodInput[] = [];
  const bad: BadInput[] = [];
  const records = readCsv(text, delimiter);
  const first = records.next();
  if (first.done === true) return { good, bad };
  const header = readHeader(first.value);
  if (typeof header === 'string')
    return { good, bad: [{ line: first.value.line, message: header, text: shownText(first.value.raw) }] };
  let rows = 0;
  let chars = 0;
  for (const record of records) {
    const message = record.problem ?? countProblem(record.cells.length, header.columns);
    if (message === null)
      good.push({ line: record.line, inputText: objectText(header.root, record.cells, isTextCells) ?? '{}' });
    else bad.push({ line: record.line, message, text: shownText(record.raw) });
    rows += 1;
    chars += record.raw.length;
    if (rows % rowsAStep === 0 || chars >= charsAStep) {
      chars = 0;
      yield;
    }
  }
  return { good, bad };
}

/** The names on the way to the columns. */
type Branch = Map<string, Branch | number>;

interface Header {
  columns: number;
  root: Branch;
}

/** The shape of every row, or why the header does not define one. */
function readHeader({ cells, problem }: CsvRecord): Header | string {
  if (problem !== null) return problem;
  const root: Branch = new Map();
  for (const [column, { text }] of cells.entries()) {
    const name = text.trim();
    const path = name.split('.');
    if (path.some((part) => part === '')) return name === '' ? tableText.noName(column + 1) : tableText.strayDot(name);
    const last = path.pop() ?? '';
    let branch = root;
    for (const part of path) {
      const next = branch.get(part) ?? new Map<string, Branch | number>();
      if (typeof next === 'number') return tableText.insideColumn(name, part);
      branch.set(part, next);
      branch = next;
    }
    const taken = branch.get(last);
    if (taken !== undefined)
      return typeof taken === 'number' ? tableText.twice(name) : tableText.hasColumnsInside(name);
    branch.set(last, column);
  }
  return { columns: cells.length, root };
}

function countProblem(cells: number, columns: number): string | null {
  return cells === columns ? null : tableText.cellCount(cells, columns);
}

/** Null if it has no content. */
function objectText(branch: Branch, cells: readonly Cell[], isTextCells: boolean): string | null {
  const members: string[] = [];
  for (const [name, inside] of branch) {
    const value =
      typeof inside === 'number' ? cellText(cells[inside], isTextCells) : objectText(inside, cells, isTextCells);
    if (value !== null) members.push(`${JSON.stringify(name)}:${value}`);
  }
  return members.length === 0 ? null : `{${members.join(',')}}`;
}

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

function cellText(cell: Cell | undefined, isTextCells: boolean): string | null {
  if (cell === undefined || (cell.text === '' && !cell.isQuoted)) return null;
  const trimmed = cell.text.trim();
  return !isTextCells && (isJson(trimmed) || isPlaceholder(trimmed)) ? trimmed : JSON.stringify(cell.text);
}

function isPlaceholder(text: string): boolean {
  const [first] = placeholdersIn(text);
  return first?.from === 0 && first.to === text.length;
}

function isJson(text: string): boolean {
  if (text === 'true' || text === 'false' || text === 'null' || jsonNumber.test(text)) return true;
  if (!/^[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
