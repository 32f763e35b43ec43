import { parseJson } from '../../../src-preload/json-spans.ts';
import type { LearnedInputs, LearnedKey } from '../../../src-preload/learned.ts';
import { delimiterOf, readCsv, type Delimiter } from '../read-csv.ts';
import { cursorPlace } from '../learned/cursor-place.ts';
import { learnedText } from '../../messages/composer/input.ts';

const maxColumns = 12;

/** `prompt,sampling.max_tokens`: a header row of the keys that most earlier inputs had. Empty if none is known. */
export function usualHeader({ keys, jobs }: Pick<LearnedInputs, 'jobs' | 'keys'>): string {
  return keys
    .filter(({ path, types, count }) => !types.includes('object') && count * 2 >= jobs && path.every(isColumnName))
    .slice(0, maxColumns)
    .map(({ path }) => path.join('.'))
    .join(',');
}

/** Whether a key needs no quotes in a header row and has no dot, which would divide it. */
function isColumnName(name: string): boolean {
  return /^[^\s.,;"]+$/.test(name);
}

/** Suggestions for the place of the cursor in a text of many inputs. Pure. */
interface CellHelp {
  /** Their subject: a column, or the missing columns. */
  title: string;
  offers: CellOffer[];
}

/** A text that replaces another. */
export interface CellOffer {
  label: string;
  from: number;
  to: number;
  insert: string;
}

const maxOffered = 8;
/** Reading a longer text at every key press would be noticeable. */
const maxChars = 200_000;

/** Columns and values of earlier inputs for a table (CSV), or keys and values for a line of JSON. Null if none fit. */
export function helpAt(text: string, cursor: number, isTable: boolean, learned: LearnedInputs): CellHelp | null {
  if (text.length > maxChars) return null;
  const help = isTable ? inTable(text, cursor, learned) : inJsonLine(text, cursor, learned);
  return help === null || help.offers.length === 0 ? null : { ...help, offers: help.offers.slice(0, maxOffered) };
}

/** The cell of a table with the cursor. */
interface Cell {
  column: number;
  from: number;
  to: number;
  isHead: boolean;
}

function inTable(text: string, cursor: number, { keys }: LearnedInputs): CellHelp | null {
  const delimiter = delimiterOf(text);
  const cell = cellAt(text, cursor, delimiter);
  if (cell === null) return null;
  const heads = (readCsv(text, delimiter).next().value?.cells ?? []).map((head: { text: string }) => head.text.trim());
  const typed = text.slice(cell.from, cell.to).trim().toLowerCase();
  if (cell.isHead) return headsFor(cell, heads, typed, delimiter, keys);
  const key = keys.find(({ path }) => path.join('.') === heads[cell.column]);
  if (key === undefined) return null;
  const values = key.values.flatMap(({ json }) => cellText(json, delimiter) ?? []);
  return {
    title: learnedText.about(key.path, key),
    offers: values
      .filter((value) => value.toLowerCase() !== typed && value.toLowerCase().startsWith(typed))
      .map((value) => ({ label: value, from: cell.from, to: cell.to, insert: value })),
  };
}

/** The missing columns, which replace the beginning of a name or follow a complete one. */
function headsFor(
  { from, to }: Cell,
  heads: readonly string[],
  typed: string,
  delimiter: Delimiter,
  keys: readonly LearnedKey[],
): CellHelp {
  const names = keys
    .filter(({ path, types }) => !types.includes('object') && path.every(isColumnName))
    .map(({ path }) => path.join('.'));
  const missing = names.filter((name) => !heads.includes(name));
  const begun = typed === '' ? [] : missing.filter((name) => name.toLowerCase().startsWith(typed));
  const offers =
    typed === '' || begun.length > 0
      ? (begun.length > 0 ? begun : missing).map((name) => ({ label: name, from, to, insert: name }))
      : missing.map((name) => ({ label: name, from: to, to, insert: `${delimiter}${name}` }));
  return { title: learnedText.columns, offers };
}

/** The cell at a position. Null inside a quoted cell that began on an earlier line. */
function cellAt(text: string, cursor: number, delimiter: Delimiter): Cell | null {
  const lineFrom = text.lastIndexOf('\n', cursor - 1) + 1;
  if (isQuoteOpen(text.slice(0, lineFrom))) return null;
  const next = text.indexOf('\n', lineFrom);
  const line = text.slice(lineFrom, next === -1 ? text.length : next).replace(/\r$/, '');
  let column = 0;
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at <= line.length; at += 1) {
    if (line[at] === '"') isQuoted = !isQuoted;
    if (at < line.length && (line[at] !== delimiter || isQuoted)) continue;
    if (lineFrom + at >= cursor)
      return { column, from: lineFrom + from, to: lineFrom + at, isHead: text.slice(0, lineFrom).trim() === '' };
    column += 1;
    from = at + 1;
  }
  return null;
}

function isQuoteOpen(text: string): boolean {
  return (text.split('"').length - 1) % 2 === 1;
}

/** The cell that is read as this value. Null if there is none, as for the text "12". */
function cellText(json: string, delimiter: Delimiter): string | null {
  const value = parseJson(json);
  if (typeof value !== 'string') return /[",;\t\n]/.test(json) ? quoted(json) : json;
  if (value === '' || parseJson(value.trim()) !== undefined || value.includes('{{')) return null;
  return value.includes(delimiter) || /["\n\r]/.test(value) || value !== value.trim() ? quoted(value) : value;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function inJsonLine(text: string, cursor: number, { keys }: LearnedInputs): CellHelp | null {
  const lineFrom = text.lastIndexOf('\n', cursor - 1) + 1;
  const next = text.indexOf('\n', lineFrom);
  const line = text.slice(lineFrom, next === -1 ? text.length : next);
  const place = cursorPlace(line, cursor - lineFrom);
  if (place === null) return null;
  const [from, to] = [lineFrom + place.from - (place.isQuoted ? 1 : 0), lineFrom + place.to];
  const typed = line.slice(place.from, cursor - lineFrom).toLowerCase();
  const { path } = place;
  const isUnder = (each: LearnedKey, parent: readonly string[]): boolean =>
    parent.every((name, at) => each.path[at] === name);
  if (place.kind === 'key') {
    const names = keys.filter((each) => each.path.length === path.length + 1 && isUnder(each, path));
    return {
      title: learnedText.keys,
      offers: names
        .map((each) => each.path.at(-1) ?? '')
        .filter((name) => !place.taken.has(name) && name.toLowerCase().startsWith(typed))
        .map((name) => ({ label: name, from, to, insert: `${JSON.stringify(name)}: ` })),
    };
  }
  const key = keys.find((each) => each.path.length === path.length && isUnder(each, path));
  return key === undefined
    ? null
    : {
        title: learnedText.about(path, key),
        offers: key.values
          .filter(({ json }) => json.replace(/^"/, '').toLowerCase().startsWith(typed))
          .map(({ json }) => ({ label: json, from, to, insert: json })),
      };
}
