import { isEscaped } from '../../../src-preload/json-spans.ts';

/**
 * A `{{name}}` in an input. Within a JSON string it stands for text, outside one for a whole JSON value. Offsets are in
 * UTF-16 units, `to` behind the last brace.
 */
export interface Placeholder {
  name: string;
  from: number;
  to: number;
  isInString: boolean;
}

/** What a variable may be called. */
export const longestName = 60;
const opening = /\{\{\s{0,8}([A-Za-z_][\w-]{0,59})\s{0,8}\}\}/y;
const telling = /["\n\r]|\{\{/g;

/**
 * The placeholders of an input, in order. The text need not be valid JSON: a string that is not closed ends with its
 * line. Pure.
 */
export function placeholdersIn(text: string): Placeholder[] {
  if (!text.includes('{{')) return [];
  const found: Placeholder[] = [];
  let isInString = false;
  for (let at = 0; ;) {
    telling.lastIndex = at;
    const next = telling.exec(text);
    if (next === null) return found;
    at = next.index + 1;
    if (next[0] === '{{') {
      opening.lastIndex = next.index;
      const name = opening.exec(text)?.[1];
      if (name === undefined) continue;
      at = opening.lastIndex;
      found.push({ name, from: next.index, to: at, isInString });
    } else if (next[0] !== '"') {
      isInString = false;
    } else if (!isInString || !isEscaped(text, next.index)) {
      isInString = !isInString;
    }
  }
}

/**
 * The input with a value in place of each bare placeholder, of the same length, so that a problem found in it is where
 * the user sees it. A blank before the value keeps it from joining what is before it. Pure.
 */
export function checkableText(text: string, placeholders: readonly Placeholder[]): string {
  let checkable = '';
  let at = 0;
  for (const { from, to, isInString } of placeholders) {
    if (isInString) continue;
    checkable += `${text.slice(at, from)} 0${' '.repeat(to - from - 2)}`;
    at = to;
  }
  return checkable + text.slice(at);
}
