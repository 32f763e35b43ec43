import { parseJson } from '../../src-preload/json-spans.ts';

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
export function bestLineOfValue(value: unknown): string | null {
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
