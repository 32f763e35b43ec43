import { JsonTokens } from './json-tokens.ts';

/** Deeper lines are not indented further: of 100,000 levels the spaces alone would be more than a text can have. */
export const deepestIndent = 24;

/**
 * The lines of formatted JSON, as `JSON.stringify(value, null, 2)` writes them, but at any depth, and with every
 * number, escape, key and duplicate as written. Each but the first begins with the comma and the line break before it.
 * A string, be it a key or a value, is written as `onString` returns it, with its quotes. Returns whether the text is
 * one whole JSON value; otherwise the lines end where it stops being one.
 */
export function* jsonLines(
  text: string,
  onString: (quoted: string) => string = (quoted) => quoted,
): Generator<string, boolean> {
  const tokens = new JsonTokens(text);
  let line = '';
  let wasOpen = false;
  for (;;) {
    const kind = tokens.next();
    if (kind === 'cut' || kind === 'not-json') return false;
    if (kind === 'whole') {
      yield line;
      return true;
    }
    // The brackets of an empty list or object stay together.
    const isEmpty = kind === 'close' && wasOpen;
    if (line !== '' && !isEmpty) {
      yield line;
      const depth = kind === 'open' ? tokens.depth - 1 : tokens.depth;
      line = `${tokens.isAfterComma ? ',' : ''}\n${'  '.repeat(Math.min(depth, deepestIndent))}`;
    }
    if (tokens.keyStart !== -1) line += `${onString(text.slice(tokens.keyStart, tokens.keyEnd))}: `;
    const token = text.slice(tokens.start, tokens.end);
    line += kind === 'string' ? onString(token) : token;
    wasOpen = kind === 'open';
  }
}

/** Formats JSON over several lines (`jsonLines`). Any other text is returned as it is. */
export function formatJson(text: string, onString?: (quoted: string) => string): string {
  const lines = jsonLines(text, onString);
  let formatted = '';
  for (;;) {
    const next = lines.next();
    if (next.done === true) return next.value ? formatted : text;
    formatted += next.value;
  }
}
