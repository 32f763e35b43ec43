import { formatJson } from '../../src-preload/format-json.ts';
import { placeholdersIn } from './variables/placeholders.ts';

/** Marks a placeholder that stands for a whole value, while it is written as a string. */
const bare = '\\u0000';

/** Formats an input over several lines; its placeholders stay as they are. Any other text is unchanged. Pure. */
export function formatInput(text: string): string {
  return withoutMarks(formatJson(markBare(text)));
}

/** The text with every placeholder that stands for a whole value as a marked string, so that it can be read as JSON. */
export function markBare(text: string): string {
  return placeholdersIn(text)
    .filter(({ isInString }) => !isInString)
    .reduceRight(
      (marked, { from, to }) => `${marked.slice(0, from)}"${bare}${marked.slice(from, to)}"${marked.slice(to)}`,
      text,
    );
}

/** Undoes `markBare`. */
export function withoutMarks(text: string): string {
  return text.replaceAll(/"\\u0000(\{\{[^}]*\}\})"/g, '$1');
}
