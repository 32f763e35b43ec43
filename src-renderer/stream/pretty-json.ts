import { JsonTokens } from '../../src-preload/json-tokens.ts';
import type { Steps } from './use-steps.ts';

/** A text with more lines is returned unchanged. */
const maxLines = 200_000;
const linesAStep = 500;

/** Deeper lines are not indented further, because no pane is that wide. */
export const deepestIndent = 24;

/**
 * Formats JSON over several lines like JSON.stringify, but at any depth, in small steps, and with every value
 * unchanged. Any other text is returned as it is.
 */
export function* prettyJson(text: string): Steps<string> {
  const tokens = new JsonTokens(text);
  let laidOut = '';
  let lines = 0;
  let wasOpen = false;
  for (;;) {
    const kind = tokens.next();
    if (kind === 'whole') return laidOut;
    if (kind === 'cut' || kind === 'not-json' || lines >= maxLines) return text;
    const isEmpty = kind === 'close' && wasOpen;
    if (!isEmpty && lines > 0) {
      const depth = kind === 'open' ? tokens.depth - 1 : tokens.depth;
      laidOut += `${tokens.isAfterComma ? ',' : ''}\n${'  '.repeat(Math.min(depth, deepestIndent))}`;
    }
    if (tokens.keyStart !== -1) laidOut += `${text.slice(tokens.keyStart, tokens.keyEnd)}: `;
    laidOut += text.slice(tokens.start, tokens.end);
    wasOpen = kind === 'open';
    if (isEmpty) continue;
    lines += 1;
    if (lines % linesAStep === 0) yield;
  }
}
