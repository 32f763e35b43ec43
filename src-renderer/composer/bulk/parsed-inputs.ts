import { isJsonObject } from '../../../src-preload/json-spans.ts';
import { rowText } from '../../messages/composer/rows.ts';
import { checkableText, placeholdersIn } from '../variables/placeholders.ts';

/** The format of a list of inputs. `json`: one array of objects, or objects one after another over several lines. */
export type BulkFormat = 'ndjson' | 'json' | 'csv';
/** A valid input: its JSON text without the white space around it, and the line it begins on. */
export interface GoodInput {
  line: number;
  inputText: string;
}

/** A line or row that is not a valid input, with its text (or the beginning of a long one). */
export interface BadInput {
  line: number;
  message: string;
  text: string;
}

export interface ParsedInputs {
  good: GoodInput[];
  bad: BadInput[];
}

/** A parse in small steps: each `next()` does a little, and the last one returns the result. */
export type ParseSteps = Generator<undefined, ParsedInputs>;

/** How many rows a step reads. */
export const rowsAStep = 100;
/** A step ends after this many characters, even within a row. */
export const charsAStep = 100_000;

const shownChars = 300;

/** The beginning of a bad row, for the list of problems. */
export function shownText(text: string): string {
  return text.length <= shownChars ? text : `${text.slice(0, shownChars)}…`;
}

/** The text of an input as a line of NDJSON. JSON strings contain no line breaks, so all of them are white space. */
export function oneLine(inputText: string): string {
  return inputText
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

/**
 * Why `text` is not an input, or null. An input is a JSON object (spec: Job submission body), in which a `{{name}}`
 * outside a string stands for a value.
 */
export function inputProblem(text: string, explain: (text: string) => string): string | null {
  const checkable = checkableText(text, placeholdersIn(text));
  let value: unknown;
  try {
    value = JSON.parse(checkable);
  } catch {
    return explain(checkable);
  }
  if (isJsonObject(value)) return null;
  return rowText.notObject(typeOf(value));
}

function typeOf(value: unknown): 'list' | 'null' | 'string' | 'number' | 'boolean' {
  if (Array.isArray(value)) return 'list';
  if (value === null) return 'null';
  return typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'boolean';
}
