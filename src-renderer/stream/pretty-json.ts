import { JsonTokens } from '../../src-preload/json-tokens.ts';
import type { Steps } from './use-steps.ts';

/** More lines than this are not laid out. */
const mostLines = 200_000;
const linesAStep = 500;

/** Lines that lie deeper are not moved in any further: no pane is that wide. */
export const deepestIndent = 24;

/**
 * JSON over several lines, as JSON.stringify lays it out but at any depth, a little at a time; every value as it came.
 * Any other text, and one of too many lines, is given back as it is.
 */
export function* prettyJson(text: string): Steps<string> {
  const tokens = new JsonTokens(text);
  let laidOut = '';
  let lines = 0;
  let wasOpen = false;
  for (;;) {
    const kind = tokens.next();
    if (kind === 'whole') return laidOut;
    if (kind === 'cut' || kind === 'not-json' || lines >= mostLines) return text;
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
