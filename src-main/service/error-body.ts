import type { JobError } from '../../src-preload/job.ts';
import { parseJson } from '../../src-preload/json-spans.ts';
import { workerText } from '../messages/service/replies.ts';

/** The raw body of a failed reply is saved up to this many UTF-8 bytes (ruling 6). */
export const rawReplyLimitBytes = 65_536;

const lineLimit = 500;
/** JSON in strings within JSON is read to this depth. */
const depthLimit = 6;

/**
 * The most useful line of an error body in any form: `error`, `message`, `detail`, `title`, `errors[]`, JSON nested in
 * a string, plain text, HTML (ruling 6; field notes: Management errors). Takes the decoded body and its content-type.
 * Returns one line of at most 500 characters, or null if there is none.
 */
export function bestLine(body: string, contentType: string | null = null): string | null {
  const text = body.trim();
  if (text === '') return null;
  const parsed = parseJson(text);
  if (parsed !== undefined) return oneLine(lineOf(parsed, 0));
  if (/html|xml/i.test(contentType ?? '') || /^<(?:!doctype|html|head|body|\?xml|[a-z][\w-]*[\s>])/i.test(text))
    return oneLine(lineOfMarkup(text));
  return oneLine(text.split(/\r\n|\r|\n/).find((line) => line.trim() !== '') ?? null);
}

/**
 * Whether a body is JSON of an object or list, which means that the service answered and not a proxy (rulings 34, 35).
 */
export function isJsonBody(body: string): boolean {
  return /^\s*[[{]/.test(body) && parseJson(body) !== undefined;
}

/** Whether a body is a web page, by its content-type or its beginning. Never for JSON, whatever its type. */
export function isHtmlPage(body: string, contentType: string | null): boolean {
  if (isJsonBody(body)) return false;
  return (
    /html/i.test(contentType ?? '') ||
    /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]{0,4096}?-->\s*)*<(?:!doctype\s+html|html|head|body|title|h1|center|meta)\b/i.test(
      body,
    )
  );
}

/** The most useful line of a parsed JSON value, or null. */
function bestLineOfValue(value: unknown): string | null {
  return oneLine(lineOf(value, 0));
}

/** `text` cut to 64 KiB of UTF-8, never within a character (ruling 6). */
export function cutRaw(text: string): string {
  if (text.length * 3 <= rawReplyLimitBytes) return text;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= rawReplyLimitBytes) return text;
  let end = rawReplyLimitBytes;
  // A byte 10xxxxxx continues the character before it.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** The most useful ones first. `error` is often only a class, but then it is nested or beside a message. */
const names = [
  'error_message',
  'error',
  'message',
  'detail',
  'msg',
  'description',
  'error_description',
  'reason',
  'errors',
  'title',
];

function lineOf(value: unknown, depth: number): string | null {
  if (depth > depthLimit) return null;
  if (typeof value === 'string') {
    const nested = /^\s*[[{"]/.test(value) ? parseJson(value) : undefined;
    return nested === undefined ? textOrNull(value) : (lineOf(nested, depth + 1) ?? textOrNull(value));
  }
  if (Array.isArray(value)) {
    for (const element of value) {
      const line = lineOf(element, depth + 1);
      if (line !== null) return line;
    }
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  for (const name of names) {
    const line = lineOf(fields.get(name), depth + 1);
    if (line !== null && !(name === 'error' && isOnlyReason(line, fields))) return line;
  }
  return null;
}

/**
 * True for `{"error": "Bad Request", "message": "name is too long"}`: the status's own phrase, with something better
 * beside it.
 */
function isOnlyReason(line: string, fields: Map<string, unknown>): boolean {
  const beside = fields.get('message') ?? fields.get('detail');
  return (
    typeof beside === 'string' &&
    beside.trim() !== '' &&
    /^(?:bad request|unauthorized|forbidden|not found|method not allowed|conflict|payload too large|unprocessable entity|too many requests|internal server error|bad gateway|service unavailable|gateway timeout|error|true)$/i.test(
      line.trim(),
    )
  );
}

function lineOfMarkup(markup: string): string | null {
  // The end of a long page says nothing more, and patterns over it are slow.
  const page = markup
    .slice(0, 16_384)
    .replace(/<(script|style)\b[^]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<!--[^]*?(?:-->|$)/g, ' ');
  for (const tag of ['title', 'h1']) {
    const inside = new RegExp(`<${tag}\\b[^<>]*>([^]*?)</${tag}\\s*>`, 'i').exec(page)?.[1];
    const line = inside === undefined ? null : textOrNull(plain(inside));
    if (line !== null) return line;
  }
  return textOrNull(plain(page));
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function plain(markup: string): string {
  return markup
    .replace(/<[^<>]*>/g, ' ')
    .replace(
      /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi,
      (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
        if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
        const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
        return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ' ';
      },
    );
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text;
}

function oneLine(text: string | null): string | null {
  if (text === null) return null;
  const line = text
    .slice(0, lineLimit * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line === '') return null;
  return line.length > lineLimit ? `${line.slice(0, lineLimit - 1).trimEnd()}…` : line;
}

/** JSON in strings is parsed this many times. */
const maxNestedTexts = 4;

/** In characters. Of a longer text only the ends are read, because the user waits for it. */
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
    try {
      value = JSON.parse(value);
    } catch {
      break;
    }
  }
  return value;
}
