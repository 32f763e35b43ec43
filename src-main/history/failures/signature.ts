import { isTimeoutError } from '../../../src-preload/job.ts';
import type { Job } from '../../../src-preload/job.ts';
import { reasonText } from '../../../src-preload/messages/job-reason.ts';
import { hotFrame, readTraceback, readable } from '../../../src-preload/traceback.ts';
import { causeText } from '../../messages/history.ts';

/** What identifies a cause of failures at one endpoint. */
export interface Signature {
  /** The error message without the parts that differ between jobs. */
  message: string;
  /** The user's own stack frame closest to the error, `handler.py, generate`. Empty without a traceback. */
  frame: string;
}

const maxMessageChars = 240;
/** Replaces what differs between jobs. */
export const varied = '…';

/**
 * The parts that differ between jobs, in the order in which they are removed: addresses before paths before numbers,
 * because each contains the next.
 */
const varying: readonly RegExp[] = [
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s'"<>)\]]+/gi,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:-\w+)?\b/gi,
  /\b0x[0-9a-f]+\b/gi,
  /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?/g,
  /\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g,
  /(?<![\w.])(?:[A-Za-z]:)?(?:[\\/][\w.@+~-]+){2,}[\\/]?/g,
  // Ids: letters and digits mixed, eight or more.
  /\b(?=[A-Za-z_-]*\d)(?=\d*[A-Za-z_-])[A-Za-z0-9_-]{8,}\b/g,
  // A status or an exit code is part of the cause, not a count.
  /(?<!^|\b(?:code|status|errno|exit|signal|http|error)[ :=]{0,2}|\w)[-+]?\d[\d,_]*(?:\.\d+)?(?:e[-+]?\d+)?%?/gi,
  /^(?![45]\d\d\b)[-+]?\d[\d,_]*(?:\.\d+)?/,
];

/** The cause of a failure, from its error. `errorText`: as it came, including nested JSON and traceback. */
export function signatureOf(job: Pick<Job, 'reason' | 'status'>, errorText: string | null): Signature {
  const isTimeout =
    job.reason?.kind === 'timed-out' ||
    job.status === 'TIMED_OUT' ||
    (errorText !== null && isTimeoutError(errorText.slice(0, 2_000)));
  if (isTimeout) return { message: causeText.timeLimit, frame: '' };
  const reasonWords = job.reason === null ? '' : reasonText(job.reason);
  const message = normalised((reasonWords === '' ? (errorText ?? '') : reasonWords).slice(0, 2_000));
  return { message: message === '' ? causeText.noMessage : message, frame: frameOf(errorText ?? '') };
}

/** A message without the parts that differ between jobs. */
export function normalised(message: string): string {
  let text = message;
  for (const pattern of varying) text = text.replace(pattern, varied);
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/…(?:[\s,.:;x×*/-]*…)+/g, varied)
    .trim()
    .slice(0, maxMessageChars);
}

/** Without the line number, which changes with every edit of the file. */
function frameOf(errorText: string): string {
  const text = unescaped(readable(errorText));
  if (!/File "|\n[^\S\n]+at /.test(text)) return '';
  const lines = readTraceback(text);
  const frame = lines[hotFrame(lines, text)];
  return frame?.kind === 'frame' ? `${frame.file}, ${frame.name}` : '';
}

/** In a traceback within JSON within JSON, line ends and quotes are escaped twice. */
function unescaped(text: string): string {
  let plain = text;
  for (let level = 0; level < 3 && /\\n\s/.test(plain); level += 1)
    plain = plain.replaceAll(/\\(["\\nrt])/g, (_, char: string) =>
      char === 'n' ? '\n' : char === 't' ? '\t' : char === 'r' ? '' : char,
    );
  return plain;
}
