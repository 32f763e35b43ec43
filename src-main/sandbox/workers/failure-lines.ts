import { readFileSync } from 'node:fs';
import { codeFrame } from './code-frame.ts';
import { thrownText, withCauses } from './error-report.ts';
import { isError, readStack, shortFrame, shortPath, type Place } from './stack-text.ts';

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
