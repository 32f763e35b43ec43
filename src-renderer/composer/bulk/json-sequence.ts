import { checkJson } from '../../../src-preload/json-check.ts';
import { closedStringEnd, skipSpace } from '../../../src-preload/json-spans.ts';
import { arrayText, rowText } from '../../messages/composer/rows.ts';
import { charsAStep, inputProblem, rowsAStep, shownText } from './parsed-inputs.ts';
import type { BadInput, GoodInput, ParseSteps } from './parsed-inputs.ts';

/**
 * Reads the objects of one JSON array, or JSON objects one after another. Each is cut out of the text, so that large
 * numbers, key order and spacing reach the worker as written. An invalid object does not affect the others, unless its
 * end cannot be found: then everything after it is part of it.
 */
export function* parseJsonSequence(text: string): ParseSteps {
  const good: GoodInput[] = [];
  const bad: BadInput[] = [];
  const lines = createLineCounter(text);
  let at = skipSpace(text, 0);
  const isArray = text[at] === '[';
  if (isArray) at = skipSpace(text, at + 1);
  let isClosed = !isArray;
  let needsComma = false;
  let signs = 0;
  let chars = 0;
  while (at < text.length) {
    signs += 1;
    if (signs % rowsAStep === 0 || chars >= charsAStep) {
      chars = 0;
      yield;
    }
    const sign = text[at];
    if (isArray && sign === ']') {
      isClosed = true;
      at = skipSpace(text, at + 1);
      if (at < text.length)
        bad.push({
          line: lines.at(at),
          message: arrayText.textAfterEnd,
          text: shownText(text.slice(at, at + 1_000)),
        });
      break;
    }
    if (sign === ',') {
      if (!needsComma)
        bad.push({
          line: lines.at(at),
          message: arrayText.strayComma,
          text: lines.textAt(at),
        });
      needsComma = false;
      at = skipSpace(text, at + 1);
      continue;
    }
    const line = lines.at(at);
    if (isArray && needsComma)
      bad.push({
        line,
        message: arrayText.missingComma,
        text: lines.textAt(at),
      });
    const end = endOfValue(text, at);
    const inputText = text.slice(at, end ?? text.length).trim();
    const message = end === null ? arrayText.neverEnds(explain(inputText)) : inputProblem(inputText, explain);
    if (message === null) good.push({ line, inputText });
    else bad.push({ line, message, text: shownText(inputText) });
    needsComma = isArray;
    chars += inputText.length;
    at = skipSpace(text, end ?? text.length);
  }
  if (!isClosed && bad.length === 0)
    bad.push({
      line: lines.at(text.length),
      message: arrayText.notClosed,
      text: shownText(text.slice(-80)),
    });
  return { good, bad };
}

/** The index after the value that begins at `from`. Null if the text ends first. */
function endOfValue(text: string, from: number): number | null {
  const first = text[from];
  if (first === '"') {
    const end = closedStringEnd(text, from);
    return end === -1 ? null : end;
  }
  if (first !== '{' && first !== '[') {
    const rest = /[,\]}\n\r]/g;
    rest.lastIndex = from;
    const found = rest.exec(text);
    // At least one character, so that it continues after a misplaced bracket.
    return found === null ? text.length : Math.max(found.index, from + 1);
  }
  const structure = /["{}[\]]/g;
  structure.lastIndex = from;
  let depth = 0;
  for (;;) {
    const found = structure.exec(text);
    if (found === null) return null;
    const [sign] = found;
    if (sign === '"') {
      const end = closedStringEnd(text, found.index);
      if (end === -1) return null;
      structure.lastIndex = end;
    } else if (sign === '{' || sign === '[') {
      depth += 1;
    } else {
      depth -= 1;
      if (depth === 0) return found.index + 1;
    }
  }
}

function explain(inputText: string): string {
  // Only the beginning is checked: a broken bracket may include megabytes after it.
  const checked = checkJson(inputText.slice(0, 100_000));
  return checked.ok ? rowText.notJson : rowText.notJsonAtLine(checked.line, checked.column, checked.reason);
}

interface LineCounter {
  /** The number of the line of an offset. */
  at(place: number): number;
  /** The beginning of that line's text. */
  textAt(place: number): string;
}

/** The lines of offsets, which must be requested in ascending order. */
function createLineCounter(text: string): LineCounter {
  let line = 1;
  let lineStart = 0;
  // Each is searched for only once: in a file of one line the next one is as far away as the end.
  let nextBreak = text.indexOf('\n');
  const advanceTo = (place: number): void => {
    while (nextBreak !== -1 && nextBreak < place) {
      line += 1;
      lineStart = nextBreak + 1;
      nextBreak = text.indexOf('\n', lineStart);
    }
  };
  return {
    at(place) {
      advanceTo(place);
      return line;
    },
    textAt(place) {
      advanceTo(place);
      const end = nextBreak === -1 ? text.length : nextBreak;
      return shownText(text.slice(lineStart, Math.min(end, lineStart + 1_000)).trim());
    },
  };
}
