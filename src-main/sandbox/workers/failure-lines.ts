import { readFileSync } from 'node:fs';
import { thrownText, withCauses } from './error-report.ts';
import { isError, readStack, shortFrame, shortPath } from './stack-text.ts';
import type { Place } from './stack-text.ts';

export interface FailureView {
  /** Frames in this folder (a `file:` URL) are the sandbox's own and are left out. */
  ownDirectory: string;
  /** Paths are shown as seen from here where that is shorter. */
  fromDirectory: string;
}

/** The lines of code around a place; none when its file cannot be read. */
export function codeAt(place: Place): string[] {
  try {
    return codeFrame(readFileSync(place.path, 'utf8'), place);
  } catch {
    return [];
  }
}

/**
 * What a handler threw, for the person who wrote it: the error, the stack in their own code, and
 * the line it points at with the lines around it.
 */
export function failureLines(thrown: unknown, view: FailureView, place?: Place | null): string[] {
  return withCauses(thrown).flatMap((link, index) => {
    const prefix = index === 0 ? '' : 'Caused by: ';
    if (!isError(link)) return `${prefix}${index === 0 ? 'Thrown: ' : ''}${thrownText(link)}`.split('\n');
    const stack = readStack(link, view.ownDirectory);
    const shown = (index === 0 ? place : null) ?? stack.place;
    const frames = stack.frames.map((frame) => shortFrame(frame, view.fromDirectory));
    if (frames.length === 0 && shown !== null) {
      frames.push(`    at ${shortPath(shown.path, view.fromDirectory)}:${shown.line}:${shown.column}`);
    }
    return [...`${prefix}${stack.title}`.split('\n'), ...frames, ...(shown === null ? [] : codeAt(shown))];
  });
}

const LINES_AROUND = 2;
const WIDTH_MAX = 120;

/**
 * The lines of a source around a place, numbered, the place's own line marked with `>` and its
 * column with a caret below it. Empty when the source has no such line. Of lines too long to read
 * only the part around the column is shown.
 */
export function codeFrame(source: string, { line, column }: Pick<Place, 'line' | 'column'>): string[] {
  const lines = source.split(/\r?\n/);
  // The end of the last line is no line, unless it is what something is missing from.
  if (lines.at(-1) === '' && line < lines.length) lines.pop();
  if (line < 1 || line > lines.length) return [];
  const first = Math.max(1, line - LINES_AROUND);
  const last = Math.min(lines.length, line + LINES_AROUND);
  const numberWidth = String(last).length;
  const cutAt = column > WIDTH_MAX ? column - WIDTH_MAX / 2 : 0;

  return lines.slice(first - 1, last).flatMap((whole, index) => {
    const text = whole.slice(cutAt, cutAt + WIDTH_MAX);
    const number = first + index;
    const shown = `${number === line ? '>' : ' '} ${String(number).padStart(numberWidth)} | ${text}`.trimEnd();
    if (number !== line || column < 1) return [shown];
    // Tabs stay tabs, so that the caret stands where the text does.
    const before = text.slice(0, column - 1 - cutAt).replaceAll(/[^\t]/g, ' ');
    return [shown, `  ${' '.repeat(numberWidth)} | ${before}^`];
  });
}
