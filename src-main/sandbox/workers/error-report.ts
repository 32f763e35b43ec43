import { inspect } from 'node:util';
import { ReportedFailure } from './handlers/job.ts';
import type { ThreadExit } from './start-handler-thread.ts';
import { isError, readStack, textOf, shortFrame, shortPath, type SourceLocation } from './stack-text.ts';
import { readFileSync } from 'node:fs';

/** The worker that reports. It is part of every error report. */
export interface Reporter {
  endpointId: string;
  workerId: string;
}

/** Causes are followed to this depth, because an error can be its own cause. */
const CAUSES_MAX = 5;

function report(fields: Record<string, unknown>, { endpointId, workerId }: Reporter): string {
  return JSON.stringify({
    error_type: 'Error',
    error_message: '',
    error_traceback: '',
    hostname: `${workerId}-${endpointId}`,
    worker_id: workerId,
    runpod_version: 'sandbox',
    ...fields,
  });
}

/** A thrown value that is not an error, in a few words. */
function thrownText(thrown: unknown): string {
  return typeof thrown === 'string' ? thrown : inspect(thrown, { depth: 3 });
}

/** An error, the errors in it, its cause, the cause of that, and so on. */
function withCauses(thrown: unknown): unknown[] {
  const chain = [thrown];
  for (let index = 0; index < chain.length; index += 1) {
    const link = chain[index];
    if (!isError(link)) continue;
    const causes: unknown[] = link instanceof AggregateError ? [...link.errors, link.cause] : [link.cause];
    const added = causes.filter((cause) => cause !== undefined && !chain.includes(cause));
    chain.push(...added.slice(0, CAUSES_MAX - chain.length));
  }
  return chain;
}

/** The stack of an error and of its causes, without the frames in `ownDirectory`. */
function traceback(error: Error, ownDirectory: string | null): string {
  const stacks = withCauses(error).map((thrown) => {
    if (!isError(thrown)) return thrownText(thrown);
    const { title, frames, place } = readStack(thrown, ownDirectory);
    const isPlaceInFrames = frames.length > 0 || place === null;
    return [title, ...(isPlaceInFrames ? frames : [`    at ${place.path}:${place.line}:${place.column}`])].join('\n');
  });
  return stacks.join('\nCaused by: ');
}

/**
 * The `error` of a FAILED job for what its handler threw: a JSON string with error_type, error_message,
 * error_traceback, hostname, worker_id and runpod_version (field notes: Status and result). A {@link ReportedFailure}
 * with a text is that text. Frames in `ownDirectory` (a `file:` URL) are left out of the traceback, so that it begins
 * in the handler's own code.
 */
export function reportThrown(thrown: unknown, reporter: Reporter, ownDirectory: string | null = null): string {
  if (thrown instanceof ReportedFailure) {
    return typeof thrown.report === 'string' ? thrown.report : report(thrown.report, reporter);
  }
  if (isError(thrown)) {
    const error_traceback = traceback(thrown, ownDirectory);
    return report(
      { error_type: textOf(thrown.name), error_message: textOf(thrown.message), error_traceback },
      reporter,
    );
  }
  return report({ error_type: typeof thrown, error_message: thrownText(thrown) }, reporter);
}

/** The `error` of a job whose worker crashed (spec: Errors, "the worker may have crashed"). */
export function reportCrash(exit: ThreadExit, reporter: Reporter): string {
  if (typeof exit.report === 'string') return exit.report;
  const cause = exit.error === null ? '' : `: ${exit.error.message}`;
  return report(
    {
      error_type: 'WorkerCrashed',
      error_message: `The worker exited with code ${exit.code} before the job was done${cause}`,
      error_traceback: exit.error?.stack ?? '',
    },
    reporter,
  );
}

/** As {@link reportCrash}, for a thread that can still report what ends it. */
export function reportCrashing(code: number, thrown: unknown, reporter: Reporter, ownDirectory: string | null): string {
  const cause = isError(thrown) ? thrown.message : thrownText(thrown);
  const error_message = `The worker exited with code ${code} before the job was done: ${cause}`;
  const error_traceback = isError(thrown) ? traceback(thrown, ownDirectory) : '';
  return report({ error_type: 'WorkerCrashed', error_message, error_traceback }, reporter);
}

export interface FailureView {
  /** Frames in this folder (a `file:` URL) belong to the sandbox and are left out. */
  ownDirectory: string;
  /** Paths are shown relative to this folder if that is shorter. */
  fromDirectory: string;
}

/** The lines of code around a place. Empty if its file cannot be read. */
function codeAt(place: SourceLocation): string[] {
  try {
    return codeFrame(readFileSync(place.path, 'utf8'), place);
  } catch {
    return [];
  }
}

/**
 * What a handler threw, for its author: the error, the stack in their own code, and the line it refers to with the
 * lines around it.
 */
export function failureLines(thrown: unknown, view: FailureView, place?: SourceLocation | null): string[] {
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
 * The lines of a source around a place, numbered, with the place's own line marked with `>` and its column with a caret
 * below. Empty if the source has no such line. Only the part of a very long line around the column is shown.
 */
export function codeFrame(source: string, { line, column }: Pick<SourceLocation, 'line' | 'column'>): string[] {
  const lines = source.split(/\r?\n/);
  // The end of the last line is not a line, unless something is missing after it.
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
    // Tabs stay tabs, so that the caret is below the text.
    const before = text.slice(0, column - 1 - cutAt).replaceAll(/[^\t]/g, ' ');
    return [shown, `  ${' '.repeat(numberWidth)} | ${before}^`];
  });
}
