import { imageFacts, isWholeImage, type ImageFacts } from './image-bytes.ts';

/**
 * The images in base64 that Jobdeck finds: one list for the Output tab, comparisons, reports and `has:images`. A
 * beginning only suggests an image; the bytes decide.
 */

/** How base64 of PNG, JPEG, GIF, WebP, BMP and AVIF begins, with `slash` as the text writes it. */
function beginnings(slash: string): string {
  const any = `(?:[A-Za-z0-9+]|${slash})`;
  return `(?:iVBORw0KGgo|${slash}9j${slash}|R0lGOD|UklGR|Qk[0-3]${any}{5}AAAAA|AAAA${any}{2}Z0eX)`;
}

/** A string, as parsed, that may be an image in base64. Sounds share the beginning of WebP, and videos that of AVIF. */
export const imageStart = new RegExp(`^${beginnings('/')}`);
/** What is before the data in a data URL. */
const dataUrl = /^data:(?:[a-z]+\/[a-z0-9.+-]+)?(?:;[a-z0-9=-]+)*;base64,/i;
/** The same in JSON text, also of a string in JSON that is itself in a string: each level adds backslashes. */
const imageInJson = new RegExp(
  String.raw`"(?:[dD][aA][tT][aA]:[^",\s]{0,180};[bB][aA][sS][eE]64,|${beginnings(String.raw`\\*/`)})`,
  'g',
);
/** Addresses that are named as images. SVG is never drawn, but can be opened in a browser. */
const imageEndings = 'png|jpe?g|gif|webp|bmp|avif|heic|tiff?|svg';
/** A parsed string that is the address of an image. */
export const imageAddress = new RegExp(String.raw`^https?:\/\/[^\s?#]+\.(?:${imageEndings})(?:[?#]\S*)?$`, 'i');
const addressInJson = new RegExp(
  String.raw`"https?:\\*\/\\*\/[^"\s?#]{1,2000}\.(?:${imageEndings})(?:[?#][^"\s]*)?\\*"`,
  'i',
);

/** The most images of one output that are shown, and saved at once. Further ones are still in the raw output. */
export const mostImages = 500;

/** A shorter string is a word, not an image: the smallest PNG has 67 bytes. */
const minChars = 48;
/** Enough for any header except that of a JPEG with large metadata. */
const headerChars = 262_144;
/** Enough for most headers. A multiple of four, so that the bytes can be read. */
const mostHeaderChars = 1_024;
/** Enough for the sizes at the beginning of an image's parts. */
const partsChars = 16_384;
/** Enough to find the end of an image. A multiple of four, so that the bytes can be read. */
const tailChars = 64;

/** The part of a data URL before its data. Null if the text is none. */
export function dataUrlPrefix(text: string): string | null {
  return dataUrl.exec(text.slice(0, 200))?.[0] ?? null;
}

/** Whether a string is long enough for an image. */
export function isLongEnough(text: string): boolean {
  return text.length >= minChars;
}

/** What the first bytes of base64 say. Null if they are of no image, or the text is not base64. */
export function imageOf(base64: string): ImageFacts | null {
  const text = headerOf(base64);
  if (text === null) return null;
  const first = imageFacts(bytesOf(text.slice(0, mostHeaderChars)));
  const facts = first?.width === null ? imageFacts(bytesOf(text)) : first;
  // A header with a size of zero is a text with the same beginning, not an image.
  return facts === null || facts.width === 0 || facts.height === 0 ? null : facts;
}

/** How many bytes a base64 text without line ends has. */
export function bytesIn(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}

/** Whether base64 has its image to the end, as far as its first and last bytes say. */
export function isWhole(base64: string, { format }: ImageFacts): boolean {
  const text = /\s/.test(base64.slice(-2 * tailChars)) ? base64.replaceAll(/\s+/g, '') : base64;
  const tail = headerOf(text.slice(Math.max(0, Math.floor(text.length / 4) * 4 - tailChars)));
  if (tail === null) return false;
  return isWholeImage(format, bytesOf(text.slice(0, partsChars)), bytesOf(tail), bytesIn(text));
}

/** An image in JSON text. */
export interface ImageInJson {
  facts: ImageFacts;
  /** Where its string is, with its quotes and the backslashes before them. */
  start: number;
  end: number;
  /** Where the content of that string is. */
  from: number;
  to: number;
  /** All its data, without escapes and line ends. Only the beginning of it has been checked. */
  base64: () => string;
}

/** Finds the images in JSON text, also those in JSON that is in a string. */
export function* imagesInJson(json: string): Generator<ImageInJson> {
  for (const { index: quote } of json.matchAll(imageInJson)) {
    const closing = json.indexOf('"', quote + 1);
    const to = closing === -1 ? json.length : closing;
    const slashes = slashesBefore(json, quote);
    // A quote that is escaped otherwise than the first one is part of the string, which is then no base64.
    if (closing !== -1 && slashesBefore(json, closing) !== slashes) continue;
    const dataOf = (end: number): string | null => {
      const text = unescaped(json.slice(quote + 1, end));
      return isLongEnough(text) ? text.slice(dataUrlPrefix(text)?.length ?? 0) : null;
    };
    const beginning = dataOf(Math.min(to, quote + 1 + 2 * headerChars));
    const facts = beginning === null ? null : imageOf(beginning);
    if (facts === null) continue;
    yield {
      facts,
      start: quote - slashes,
      end: Math.min(to + 1, json.length),
      from: quote + 1,
      to: to - (closing === -1 ? 0 : slashes),
      base64: () => dataOf(to) ?? '',
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

/** Whether a string, as parsed, begins like an image. Enough to name it; its bytes are not read. */
export function looksLikeImage(text: string): boolean {
  return text.startsWith('data:image/') || imageStart.test(text);
}

/** Whether JSON text has an image in base64, by its bytes. */
export function hasImage(json: string): boolean {
  return imagesInJson(json).next().done !== true;
}

/** Whether JSON text may have an image in base64: its beginnings alone are checked. */
export function mayHaveImage(json: string): boolean {
  return json.search(imageInJson) !== -1;
}

/** Whether JSON text has the address of an image. */
export function hasImageAddress(json: string): boolean {
  return addressInJson.test(json);
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Uint8Array(128);
for (const [value, digit] of [...digits].entries()) values[digit.charCodeAt(0)] = value;

/** The beginning of base64, which may have line ends in it, without these. Null if the text is not base64. */
function headerOf(base64: string): string | null {
  const text = base64.slice(0, headerChars).replaceAll(/\s+/g, '');
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? text : null;
}

/** The bytes of base64 without line ends. */
function bytesOf(text: string): Uint8Array {
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
