/** Base64 as services send it: in a data URL or alone, with line ends or without, also in JSON that is in a string. */

/** What is before the data in a data URL. */
const dataUrl = /^data:(?:[a-z]+\/[a-z0-9.+-]+)?(?:;[a-z0-9=-]+)*;base64,/i;
/** A slash as JSON text may write it. Each level of strings in strings adds backslashes. */
export const slashInJson = String.raw`\\*/`;

/** A shorter string is a word, not a file: the smallest PNG has 67 bytes. */
const minChars = 48;
/** Enough for any header except that of a JPEG with large metadata. */
const headerChars = 262_144;

/** The part of a data URL before its data. Null if the text is none. */
export function dataUrlPrefix(text: string): string | null {
  return dataUrl.exec(text.slice(0, 200))?.[0] ?? null;
}

/** Whether a string is long enough for a file. */
export function isLongEnough(text: string): boolean {
  return text.length >= minChars;
}

/**
 * How base64 of a text begins that may contain a file: of JSON, of a data URL, or again of base64 of an image or a
 * sound.
 */
const textBeginnings =
  '(?:ey[AJ]|ZXlK|ZXdv|VzNz|V3lJ|ew[0o]|W3[ts]|Wy[JI]|Ww[0o]|ZGF0YT|aVZCT1|LzlqL|UjBsR0|VWtsR|U1VRe|VDJkb)';
/** A string, as parsed, that may be base64 of such a text. */
export const base64OfText = new RegExp(`^${textBeginnings}[A-Za-z0-9+/]{41}`);
/**
 * How often base64 of a text may be in another one, whatever JSON is between them. One rule for the Output tab,
 * `has:images` and reports.
 */
export const deepestBase64 = 2;

/** How many bytes a base64 text without line ends has. */
export function bytesIn(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}

/**
 * A pattern that finds, in JSON text, the strings that are data URLs, begin with one of `beginnings`, or may be base64
 * of a text with such strings.
 */
export function inJson(beginnings: string): RegExp {
  const dataUrls = String.raw`[dD][aA][tT][aA]:[^",\s]{0,180};[bB][aA][sS][eE]64,`;
  return new RegExp(`"(?:${dataUrls}|${beginnings}|${textBeginnings})`, 'g');
}

/** A text in JSON that may be base64. */
export interface Base64InJson {
  /** Where its string is, with its quotes and the backslashes before them. */
  start: number;
  end: number;
  /** Where the content of that string is. */
  from: number;
  to: number;
  /** Whether it is a data URL. */
  isDeclared: boolean;
  /** The beginning of its data. */
  head: string;
  /** All its data, without escapes and line ends. Nothing of it has been checked. */
  base64: () => string;
}

/** Finds the strings that `beginning` (from `inJson`) matches, also those in JSON that is in a string. */
export function* base64InJson(json: string, beginning: RegExp): Generator<Base64InJson> {
  for (const { index: quote } of json.matchAll(beginning)) {
    const closing = json.indexOf('"', quote + 1);
    const to = closing === -1 ? json.length : closing;
    const slashes = slashesBefore(json, quote);
    // A quote that is escaped otherwise than the first one is part of the string, which is then no base64.
    if (closing !== -1 && slashesBefore(json, closing) !== slashes) continue;
    const text = unescaped(json.slice(quote + 1, Math.min(to, quote + 1 + 2 * headerChars)));
    if (!isLongEnough(text)) continue;
    const prefix = dataUrlPrefix(text);
    const skipped = prefix?.length ?? 0;
    yield {
      start: quote - slashes,
      end: Math.min(to + 1, json.length),
      from: quote + 1,
      to: to - (closing === -1 ? 0 : slashes),
      isDeclared: prefix !== null,
      head: text.slice(skipped),
      base64: () => unescaped(json.slice(quote + 1, to)).slice(skipped),
    };
  }
}

function slashesBefore(text: string, at: number): number {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes;
}

/** Text of JSON without the escapes that base64 may have, at any level of strings in strings. Others stay. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\+(.?)/gs, (escape, next: string) =>
    next === '/' ? '/' : 'nrt'.includes(next) ? '' : escape,
  );
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Uint8Array(128);
for (const [value, digit] of [...digits].entries()) values[digit.charCodeAt(0)] = value;

/** The beginning of base64, which may have line ends in it, without these. Null if the text is not base64. */
export function headerOf(base64: string): string | null {
  const text = base64.slice(0, headerChars).replaceAll(/\s+/g, '');
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? text : null;
}

const charsAtOnce = 8_192;

/**
 * The text in base64, with a character for each byte: enough to find base64 in it, which is ASCII. Null if it is not
 * base64.
 */
export function byteTextOf(base64: string): string | null {
  const data = base64.replaceAll(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data)) return null;
  const bytes = bytesOf(data);
  let text = '';
  for (let at = 0; at < bytes.length; at += charsAtOnce)
    // Spreading the bytes takes eight times as long.
    text += Reflect.apply(String.fromCharCode, null, bytes.subarray(at, at + charsAtOnce));
  return text;
}

/** The bytes of base64 without line ends. */
export function bytesOf(text: string): Uint8Array {
  const length = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let held = 0;
  for (let at = 0, to = 0; at < length; at += 1) {
    held = ((held << 6) | (values[text.charCodeAt(at)] ?? 0)) & 0xffffff;
    if (at % 4 === 0) continue;
    bytes[to] = (held >> (6 - 2 * (at % 4))) & 0xff;
    to += 1;
  }
  return bytes;
}
