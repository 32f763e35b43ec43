import { checkJson } from '../../../src-preload/json-check.ts';
import { charsAStep, inputProblem, rowsAStep, shownText } from './parsed-inputs.ts';
import type { BadInput, GoodInput, ParseSteps } from './parsed-inputs.ts';

/** One JSON object a line. Empty lines are passed over; CR before a line's end is no part of it. */
export function* parseNdjson(text: string): ParseSteps {
  const good: GoodInput[] = [];
  const bad: BadInput[] = [];
  let chars = 0;
  for (let at = 0, line = 1; at < text.length; line += 1) {
    const end = text.indexOf('\n', at);
    const inputText = text.slice(at, end === -1 ? text.length : end).trim();
    at = end === -1 ? text.length : end + 1;
    chars += inputText.length;
    if (inputText !== '') {
      const message = inputProblem(inputText, explainLine);
      if (message === null) good.push({ line, inputText });
      else bad.push({ line, message, text: shownText(inputText) });
    }
    if (line % rowsAStep === 0 || chars >= charsAStep) {
      chars = 0;
      yield;
    }
  }
  return { good, bad };
}

function explainLine(inputText: string): string {
  const checked = checkJson(inputText);
  return checked.ok ? 'This is not JSON.' : `Column ${checked.column}: ${checked.reason}`.replace(/([^.?!])$/, '$1.');
}
