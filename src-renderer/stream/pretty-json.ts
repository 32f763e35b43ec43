import { jsonLines } from '../../src-preload/format-json.ts';
import type { Steps } from './use-steps.ts';

/** A text with more lines is returned unchanged. */
const maxLines = 200_000;
const linesAStep = 500;

/** Formats JSON over several lines as `formatJson` does, in small steps. Any other text is returned as it is. */
export function* prettyJson(text: string): Steps<string> {
  const lines = jsonLines(text);
  let laidOut = '';
  for (let count = 1; ; count += 1) {
    const next = lines.next();
    if (next.done === true) return next.value ? laidOut : text;
    if (count > maxLines) return text;
    laidOut += next.value;
    if (count % linesAStep === 0) yield;
  }
}
