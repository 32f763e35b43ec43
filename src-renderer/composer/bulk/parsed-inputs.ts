import { isJsonObject } from '../../../src-preload/json-object.ts';
import { checkableText, placeholdersIn } from '../variables/placeholders.ts';

/**
 * What a list of inputs is written in. `json`: one array of objects, or objects one after another over several lines.
 */
export type BulkFormat = 'ndjson' | 'json' | 'csv';
/**
 * An input that can be sent: its JSON text with nothing changed but blank space around it, and the line it begins on.
 */
export interface GoodInput {
  line: number;
  inputText: string;
}

/** A line or row that is no input, with its text as it stands there (its beginning, where it is long). */
export interface BadInput {
  line: number;
  message: string;
  text: string;
}

export interface ParsedInputs {
  good: GoodInput[];
  bad: BadInput[];
}

/** A parse in small steps: each `next()` does a little, the last one gives what came of it. */
export type ParseSteps = Generator<undefined, ParsedInputs>;

/** Rows looked at in one step. */
export const rowsAStep = 100;
/** Characters after which a step ends even inside a row. */
export const charsAStep = 100_000;

const shownChars = 300;

/** The beginning of a bad row, for the list of problems. */
export function shownText(text: string): string {
  return text.length <= shownChars ? text : `${text.slice(0, shownChars)}…`;
}

/**
 * Why `text` is not an input, or null: an input is a JSON object (spec: Job submission body), where a `{{name}}`
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
  const found = Array.isArray(value)
    ? 'a list'
    : value === null
      ? 'null'
      : typeof value === 'string'
        ? 'a string'
        : `a ${typeof value}`;
  return `An input must be an object, such as {"prompt": "..."}; this is ${found}.`;
}
