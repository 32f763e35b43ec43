import { isEscaped } from '../../../src-preload/json-spans.ts';

/**
 * A `{{name}}` in an input. In a JSON string it stands for text, outside one for a whole JSON value. Offsets are in
 * UTF-16 units, `to` is after the last brace.
 */
export interface Placeholder {
  name: string;
  from: number;
  to: number;
  isInString: boolean;
}

/** The longest name of a variable. */
export const maxNameChars = 60;
const opening = /\{\{\s{0,8}([A-Za-z_][\w-]{0,59})\s{0,8}\}\}/y;
const significant = /["\n\r]|\{\{/g;

/**
 * The placeholders of an input, in order. The text need not be valid JSON: an unclosed string ends with its line. Pure.
 */
export function placeholdersIn(text: string): Placeholder[] {
  if (!text.includes('{{')) return [];
  const found: Placeholder[] = [];
  let isInString = false;
  for (let at = 0; ;) {
    significant.lastIndex = at;
    const next = significant.exec(text);
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
 * The input with a value of the same length instead of each placeholder outside a string, so that the place of a
 * problem is right in the user's text. A blank before the value separates it from what is before it. Pure.
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

const bracesNear = /\{\{([^{}"\n\r]{1,80})\}\}/g;

/**
 * Whether the offset is in double braces whose text is not a name, such as `{{2nd}}`, which were probably meant as a
 * placeholder. Pure.
 */
export function isInBraces(text: string, offset: number): boolean {
  const from = Math.max(0, offset - 90);
  return [...text.slice(from, offset + 90).matchAll(bracesNear)].some(
    ({ 0: found, index }) => from + index <= offset && offset < from + index + found.length,
  );
}
