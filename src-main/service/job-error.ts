import type { JobError } from '../../src-preload/job.ts';
import { bestLine, bestLineOfValue } from './error-body.ts';

/** JSON within a string is opened this many times. */
const depthLimit = 4;

/** Characters; of a longer text only the ends are read, since it is shown while it is waited for. */
const longText = 262_144;
/** Characters of each end of a longer one. */
const endLength = 65_536;

/**
 * Reads the failure text of a job apart. Workers often send a JSON *string* with error_type, error_message and
 * error_traceback; others plain text, a traceback, or an object (field notes: Status and result).
 * Takes `JobRecord.errorText`; the text itself stays in `raw`. Never throws.
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
    summary: bestLine(message ?? '') ?? (traceback === null ? null : lastLineOf(traceback)?.summary) ?? noReason,
    type: type === null ? (traceback === null ? null : (lastLineOf(traceback)?.type ?? null)) : className(type),
    traceback,
    raw: errorText,
  };
}

const noReason = 'The worker gave no reason.';

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
  if (start === -1) return { summary: bestLine(text) ?? noReason, type: null, traceback: null };
  const last = lastLineOf(text);
  return { summary: last?.summary ?? noReason, type: last?.type ?? null, traceback: text.slice(start) };
}

/** "torch.OutOfMemoryError: CUDA out of memory" at the end of a Python traceback. */
function lastLineOf(traceback: string): { summary: string; type: string | null } | null {
  const line = traceback
    .split(/\r\n|\r|\n/)
    .findLast((text) => text.trim() !== '')
    ?.trim();
  if (line === undefined) return null;
  const parts = /^((?:[A-Za-z_]\w*\.)*[A-Z]\w*)(?::\s*(.*))?$/.exec(line);
  if (parts === null) return { summary: bestLine(line) ?? noReason, type: null };
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
  for (let depth = 0; depth < depthLimit && typeof value === 'string' && /^\s*[[{"]/.test(value); depth += 1) {
    try {
      value = JSON.parse(value);
    } catch {
      break;
    }
  }
  return value;
}
