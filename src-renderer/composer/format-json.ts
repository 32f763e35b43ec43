import { stringEnd } from '../../src-preload/json-spans.ts';

/** Deeper lines are not indented further: of 100,000 levels the spaces alone would be more than a text can have. */
const deepestIndent = 24;

/**
 * Indents valid JSON by two spaces without parsing its values: strings and numbers are copied character by character,
 * so that numbers beyond 2^53 and escapes are preserved.
 */
export function formatJson(text: string): string {
  let out = '';
  let depth = 0;
  let at = 0;
  const newLine = (): string => `\n${'  '.repeat(Math.min(depth, deepestIndent))}`;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = stringEnd(text, at);
      out += text.slice(at, end);
      at = end;
      continue;
    }
    if (char === '{' || char === '[') {
      const close = char === '{' ? '}' : ']';
      const next = /\S/.exec(text.slice(at + 1, at + 1_000));
      if (next?.[0] === close) {
        out += char + close;
        at += 2 + next.index;
        continue;
      }
      depth += 1;
      out += char + newLine();
    } else if (char === '}' || char === ']') {
      depth -= 1;
      out += newLine() + char;
    } else if (char === ',') {
      out += char + newLine();
    } else if (char === ':') {
      out += ': ';
    } else if (!/\s/.test(char)) {
      out += char;
    }
    at += 1;
  }
  return out;
}
