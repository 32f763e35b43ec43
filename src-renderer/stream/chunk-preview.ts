import { plainPattern } from '../../src-preload/stream-text.ts';
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

/** A part of a chunk's preview. */
interface PreviewPart {
  text: string;
  isMatch: boolean;
}

/** A match beyond what a narrow pane shows is moved to the front, with this many characters before it. */
const shownFrom = 24;
const leadChars = 12;

/** The beginning of a chunk's JSON, or the text around a first match beyond it, split at the matches. */
export function previewParts(json: string, wanted: string, previewChars: number): PreviewPart[] {
  const pattern = plainPattern(wanted);
  const first = wanted === '' ? -1 : json.search(pattern);
  const isBeyond = first > shownFrom;
  const from = isBeyond ? first - leadChars : 0;
  const shown = `${isBeyond ? '…' : ''}${json.slice(from, from + previewChars)}`;
  if (first === -1) return [{ text: shown, isMatch: false }];
  const parts: PreviewPart[] = [];
  let at = 0;
  for (const { index, 0: found } of shown.matchAll(pattern)) {
    if (index > at) parts.push({ text: shown.slice(at, index), isMatch: false });
    parts.push({ text: found, isMatch: true });
    at = index + found.length;
  }
  if (at < shown.length) parts.push({ text: shown.slice(at), isMatch: false });
  return parts;
}
