import type { JobError } from '../../src-preload/job.ts';
import { parseJson } from '../../src-preload/json-spans.ts';
import { workerText } from '../messages/service/failures.ts';
import { bestLine, bestLineOfValue } from './error-body.ts';

/** JSON in strings is parsed this many times. */
const maxNestedTexts = 4;

/** In characters. Only the ends of a longer text are read, because the user waits for it. */
const longText = 262_144;
/** The length of each end, in characters. */
const endLength = 65_536;

/**
 * Splits the failure text of a job into its parts. Workers often send a JSON *string* with error_type, error_message
 * and error_traceback; others plain text, a traceback, or an object (field notes: Status and result). Takes
 * `JobRecord.errorText`, which stays in `raw`. Never throws.
 */
export function readJobError(errorText: string): JobError {
  if (errorText.length > longText) return ofLongText(errorText);
  const value = openNested(errorText);
  if (typeof value !== 'object' || value === null)
    return { ...ofPlainText(typeof value === 'string' ? value : errorText), raw: errorText };
  const fields = new Map<string, unknown>(Object.entries(value));
  const traceback = firstText(fields, ['error_traceback', 'traceback', 'stack', 'stacktrace']);
  const type = firstText(fields, ['error_type', 'errorType', 'exception', 'type', 'name']);
  const message = firstText(fields, ['error_message', 'errorMessage']) ?? bestLineOfValue(value);
  return {
    summary:
      bestLine(message ?? '') ?? (traceback === null ? null : lastLineOf(traceback)?.summary) ?? workerText.noReason,
    type: type === null ? (traceback === null ? null : (lastLineOf(traceback)?.type ?? null)) : className(type),
    traceback,
    raw: errorText,
  };
}

function ofLongText(text: string): JobError {
  const traced = text.indexOf(tracebackStart);
  const { summary, type } = ofPlainText(
    traced === -1 ? text.slice(0, endLength) : `${tracebackStart}\n${text.slice(-endLength)}`,
  );
  return { summary, type, traceback: traced === -1 ? null : text.slice(traced), raw: text };
}

const tracebackStart = 'Traceback (most recent call last):';

function ofPlainText(text: string): Omit<JobError, 'raw'> {
  const start = text.indexOf(tracebackStart);
  if (start === -1) return { summary: bestLine(text) ?? workerText.noReason, type: null, traceback: null };
  const last = lastLineOf(text);
  return { summary: last?.summary ?? workerText.noReason, type: last?.type ?? null, traceback: text.slice(start) };
}

/** "torch.OutOfMemoryError: CUDA out of memory" at the end of a Python traceback. */
function lastLineOf(traceback: string): { summary: string; type: string | null } | null {
  const line = traceback
    .split(/\r\n|\r|\n/)
    .findLast((text) => text.trim() !== '')
    ?.trim();
  if (line === undefined) return null;
  const parts = /^((?:[A-Za-z_]\w*\.)*[A-Z]\w*)(?::\s*(.*))?$/.exec(line);
  if (parts === null) return { summary: bestLine(line) ?? workerText.noReason, type: null };
  const [, type = '', message = ''] = parts;
  return { summary: bestLine(message) ?? type, type };
}

/** `<class 'RuntimeError'>` is how Python prints a type. */
function className(type: string): string {
  return /^<class '([^']+)'>$/.exec(type.trim())?.[1] ?? type.trim();
}

function firstText(fields: Map<string, unknown>, names: string[]): string | null {
  for (const name of names) {
    const value = fields.get(name);
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (Array.isArray(value) && value.every((line) => typeof line === 'string') && value.length > 0)
      return value.join('\n');
  }
  return null;
}

function openNested(text: string): unknown {
  let value: unknown = text;
  for (let depth = 0; depth < maxNestedTexts && typeof value === 'string' && /^\s*[[{"]/.test(value); depth += 1) {
    const parsed = parseJson(value);
    if (parsed === undefined) break;
    value = parsed;
  }
  return value;
}
