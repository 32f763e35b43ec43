/**
 * What stands where a secret stood: for the key of a connection, for any other, and in a log line. Always the same for
 * one secret, so that replies from before and after a key was replaced can be compared.
 */
export type Mark = '[key]' | '[secret]' | '[hidden]';

/** A text that must not come back, with every spelling it is looked for in. Plain data: it crosses between threads. */
export interface Secret {
  text: string;
  mark: Mark;
  spellings: readonly string[];
}

/** Where a secret stands in a text, from `start` to before `end`. */
export interface Found {
  start: number;
  end: number;
  mark: Mark;
}

/** Characters; a shorter secret may stand in a text by chance. */
export const shortestCertain = 8;

/** A secret ready to be looked for. */
export function secretOf(text: string, mark: Mark): Secret {
  return { text, mark, spellings: spellingsOf(text) };
}

/** JSON within JSON within JSON is as deep as errors of a worker are quoted. */
const deepestJson = 3;

/**
 * The spellings in which a service may repeat a text: as it is, escaped as JSON does it, percent-encoded, and in
 * base64 (docs/decisions/029-plain-search-for-secrets.md). A key of letters and digits has one for the first three.
 */
function spellingsOf(text: string): string[] {
  const spellings = new Set([text, ...percentEncoded(text)]);
  let inJson = [text];
  for (let depth = 1; depth <= deepestJson; depth += 1) {
    inJson = [...new Set(inJson.flatMap((inner) => (depth === 1 ? jsonEscaped(inner) : [quoted(inner)])))];
    for (const spelling of inJson) spellings.add(spelling);
  }
  if (text.length >= shortestCertain) for (const spelling of inBase64(text)) spellings.add(spelling);
  return [...spellings].filter((spelling) => spelling !== '');
}

/**
 * As JSON.stringify does it; with `\/`, as PHP does; in ASCII alone, as Python does; and safe within HTML, as Go and
 * .NET do: a secret of s3 often holds a plus.
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

/** As JavaScript does it, and as Python does, which leaves a slash; with capital and small hexadecimal digits. */
function percentEncoded(text: string): string[] {
  const all = encodeURIComponent(text.toWellFormed());
  const butSlashes = all.replaceAll('%2F', '/');
  const small = (encoded: string): string => encoded.replace(/%../g, (byte) => byte.toLowerCase());
  return [all, small(all), butSlashes, small(butSlashes)];
}

/** As it is in base64 alone or at the beginning, but for a last sign that may hold bits of what follows. */
function inBase64(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  const certainSigns = Math.floor((bytes.length * 8) / 6);
  return [bytes.toString('base64').slice(0, certainSigns), bytes.toString('base64url').slice(0, certainSigns)];
}

/**
 * Where any of `secrets` stands in `text`, in order, those that overlap as one. A secret of less than `asWordBelow`
 * characters is only found as a word of its own, else a one-letter sandbox key would eat the text.
 */
export function findSecrets(text: string, secrets: readonly Secret[], asWordBelow = shortestCertain): Found[] {
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
  // The longer one of two that begin together gives the mark.
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

/** Whether any of `secrets` occurs in a text, found in its UTF-8 bytes: a reply of many megabytes stays bytes. */
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
