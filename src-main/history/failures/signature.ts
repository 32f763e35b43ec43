import { isTimeoutError } from '../../../src-preload/job.ts';
import type { Job } from '../../../src-preload/job.ts';
import { reasonText } from '../../../src-preload/messages/job-reason.ts';
import { hotFrame, readTraceback, readable } from '../../../src-preload/traceback.ts';

/** What tells one cause of failures from another, at one endpoint. */
export interface Signature {
  /** The error's line without what differs from job to job. */
  message: string;
  /** The user's own frame closest to where it broke, `handler.py, generate`; empty where there is no traceback. */
  frame: string;
}

const longestMessage = 240;
/** What stands in a message for what differs from job to job. */
const varied = '…';

/**
 * What differs from job to job, by what is taken out first: addresses before paths before numbers, because each holds
 * the next.
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
  // A status or an exit code is what happened, not how often.
  /(?<!^|\b(?:code|status|errno|exit|signal|http|error)[ :=]{0,2}|\w)[-+]?\d[\d,_]*(?:\.\d+)?(?:e[-+]?\d+)?%?/gi,
  /^(?![45]\d\d\b)[-+]?\d[\d,_]*(?:\.\d+)?/,
];

/** The cause of a failure, by what was said of it. `errorText`: as it came, nested JSON and traceback included. */
export function signatureOf(job: Pick<Job, 'reason' | 'status'>, errorText: string | null): Signature {
  const isTimeout =
    job.reason?.kind === 'timed-out' ||
    job.status === 'TIMED_OUT' ||
    (errorText !== null && isTimeoutError(errorText.slice(0, 2_000)));
  if (isTimeout) return { message: 'Execution limit reached', frame: '' };
  const said = job.reason === null ? '' : reasonText(job.reason);
  const message = normalised(said === '' ? (errorText ?? '').slice(0, 2_000) : said);
  return { message: message === '' ? 'Failed without a message' : message, frame: frameOf(errorText ?? '') };
}

/** A message without what differs from job to job. */
export function normalised(message: string): string {
  let text = message;
  for (const pattern of varying) text = text.replace(pattern, varied);
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/…(?:[\s,.:;x×*/-]*…)+/g, varied)
    .trim()
    .slice(0, longestMessage);
}

/** Without its line: that moves with every change of the file. */
function frameOf(errorText: string): string {
  const text = unescaped(readable(errorText));
  if (!/File "|\n\s+at /.test(text)) return '';
  const lines = readTraceback(text);
  const frame = lines[hotFrame(lines, text)];
  return frame?.kind === 'frame' ? `${frame.file}, ${frame.name}` : '';
}

/** A traceback within JSON within JSON has its line ends and quotes escaped, twice over. */
function unescaped(text: string): string {
  let plain = text;
  for (let level = 0; level < 3 && /\\+n\s/.test(plain); level += 1)
    plain = plain.replaceAll(/\\(["\\nrt])/g, (_, char: string) =>
      char === 'n' ? '\n' : char === 't' ? '\t' : char === 'r' ? '' : char,
    );
  return plain;
}
