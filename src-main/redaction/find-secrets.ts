/**
 * The text that replaces a secret: for the key of a connection, for any other, and in a log line. It is always the same
 * for a secret, so that replies from before and after a key was replaced can be compared.
 */
export type Mark = '[key]' | '[secret]' | '[hidden]';

/**
 * A text that must be removed, with all spellings that are searched for. Plain data, so that it can be sent between
 * threads.
 */
export interface Secret {
  text: string;
  mark: Mark;
  spellings: readonly string[];
}

/** The place of a secret in a text, from `start` up to and without `end`. */
export interface Found {
  start: number;
  end: number;
  mark: Mark;
}

/** In characters. A shorter secret may occur in a text by chance. */
export const minCertainChars = 8;

/** Prepares a secret for the search. */
export function secretOf(text: string, mark: Mark): Secret {
  return { text, mark, spellings: spellingsOf(text) };
}

/** The deepest nesting of JSON in JSON that workers' errors have. */
const deepestJson = 3;

/**
 * The spellings in which a service may repeat a text: unchanged, JSON-escaped, percent-encoded, and in base64
 * (docs/decisions/029-plain-search-for-secrets.md). For a key of letters and digits the first three are the same.
 */
function spellingsOf(text: string): string[] {
  const spellings = new Set([text, ...percentEncoded(text)]);
  let inJson = [text];
  for (let depth = 1; depth <= deepestJson; depth += 1) {
    inJson = [...new Set(inJson.flatMap((inner) => (depth === 1 ? jsonEscaped(inner) : [quoted(inner)])))];
    for (const spelling of inJson) spellings.add(spelling);
  }
  if (text.length >= minCertainChars) for (const spelling of inBase64(text)) spellings.add(spelling);
  return [...spellings].filter((spelling) => spelling !== '');
}

/**
 * As JSON.stringify does it; with `\/`, as PHP does; in ASCII only, as Python does; and safe within HTML, as Go and
 * .NET do, because s3 secrets often contain a plus.
 */
function jsonEscaped(text: string): string[] {
  const plain = quoted(text);
  const ascii = plain.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const inHtml = plain.replace(/[+<>&'`]/g, escapedUnit);
  const inGo = plain.replace(/[<>&]/g, (unit) => escapedUnit(unit).toLowerCase());
  return [plain, plain.replaceAll('/', '\\/'), ascii, inHtml, inGo];
}

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * As JavaScript does it, and as Python does, which does not encode a slash. With upper- and lower-case hexadecimal
 * digits.
 */
function percentEncoded(text: string): string[] {
  const all = encodeURIComponent(text.toWellFormed());
  const butSlashes = all.replaceAll('%2F', '/');
  const small = (encoded: string): string => encoded.replace(/%../g, (byte) => byte.toLowerCase());
  return [all, small(all), butSlashes, small(butSlashes)];
}

/**
 * Its base64 form alone or at the beginning of a longer text, without a last character that depends on what follows.
 */
function inBase64(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  const certainSigns = Math.floor((bytes.length * 8) / 6);
  return [bytes.toString('base64').slice(0, certainSigns), bytes.toString('base64url').slice(0, certainSigns)];
}

/**
 * The places of any of `secrets` in `text`, in order, overlapping ones joined. A secret of less than `asWordBelow`
 * characters is found only as a whole word. Otherwise a sandbox key of one letter would remove that letter everywhere.
 */
export function findSecrets(text: string, secrets: readonly Secret[], asWordBelow = minCertainChars): Found[] {
  const found: Found[] = [];
  for (const { text: secret, mark, spellings } of secrets) {
    const isWord = secret.length < asWordBelow;
    for (const spelling of spellings) {
      for (let start = text.indexOf(spelling); start !== -1; start = text.indexOf(spelling, start + spelling.length)) {
        const end = start + spelling.length;
        if (!isWord || isApart(text, start, end)) found.push({ start, end, mark });
      }
    }
  }
  // Of two secrets that begin at the same place, the longer one determines the mark.
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  const joined: Found[] = [];
  for (const span of found) {
    const last = joined.at(-1);
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end);
    else joined.push(span);
  }
  return joined;
}

const wordSign = /[\w-]/;

function isApart(text: string, start: number, end: number): boolean {
  return !wordSign.test(text[start - 1] ?? ' ') && !wordSign.test(text[end] ?? ' ');
}

/**
 * Whether a text contains any of `secrets`, searched in its UTF-8 bytes so that a reply of many megabytes need not be
 * decoded.
 */
export function holdsSecret(bytes: Uint8Array, secrets: readonly Secret[]): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return secrets.some(({ spellings }) => spellings.some((spelling) => all.includes(spelling)));
}

/** The text with its secrets replaced by their marks. */
export function withoutFound(text: string, found: readonly Found[]): string {
  let clean = '';
  let from = 0;
  for (const { start, end, mark } of found) {
    clean += text.slice(from, start) + mark;
    from = end;
  }
  return from === 0 ? text : clean + text.slice(from);
}
