import {
  base64InJson,
  base64OfText,
  bytesOf,
  deepestBase64,
  headerOf,
  inJson,
  slashInJson,
  byteTextOf,
  type Base64InJson,
} from './base64.ts';
import { imageFacts, type ImageFacts } from './image-bytes.ts';

/**
 * The images in base64 that Jobdeck finds: one list for the Output tab, comparisons, reports and `has:images`. A
 * beginning only suggests an image; the bytes decide.
 */

/** How base64 of PNG, JPEG, GIF, WebP, BMP and AVIF begins, with `slash` as the text writes it. */
export function imageBeginnings(slash: string): string {
  const any = `(?:[A-Za-z0-9+]|${slash})`;
  return `(?:iVBORw0KGgo|${slash}9j${slash}|R0lGOD|UklGR|Qk[0-3]${any}{5}AAAAA|AAAA${any}{2}Z0eX)`;
}

/** A string, as parsed, that may be an image in base64. Sounds share the beginning of WebP, and videos that of AVIF. */
const imageStart = new RegExp(`^${imageBeginnings('/')}`);
const imageInJson = inJson(imageBeginnings(slashInJson));
/** Addresses that are named as images. SVG is never drawn, but can be opened in a browser. */
const imageEndings = 'png|jpe?g|gif|webp|bmp|avif|heic|tiff?|svg';
/** A parsed string that is the address of an image. */
export const imageAddress = new RegExp(String.raw`^https?:\/\/[^\s?#]+\.(?:${imageEndings})(?:[?#]\S*)?$`, 'i');
// No two parts of it may match the same backslashes: the time would grow with the square of their number.
const addressInJson = new RegExp(
  String.raw`"https?:\\*\/\\*\/[^"\s?#]{1,2000}\.(?:${imageEndings})(?:[?#][^"\s]*|\\*)"`,
  'i',
);

/** The most images of one output that are shown, and saved at once. Further ones are still in the raw output. */
export const maxImages = 500;

/** Enough for most headers. A multiple of four, so that the bytes can be read. */
const maxHeaderChars = 1_024;

/** What the first bytes of base64 say. Null if they are of no image, or the text is not base64. */
export function imageOf(base64: string): ImageFacts | null {
  const beginning = headerOf(base64.slice(0, 2 * maxHeaderChars));
  const first = beginning === null ? null : imageFacts(bytesOf(beginning.slice(0, maxHeaderChars)));
  const text = first === null ? null : headerOf(base64);
  if (first === null || text === null) return null;
  const facts = first.width === null ? imageFacts(bytesOf(text)) : first;
  // A header with a size of zero is a text with the same beginning, not an image.
  return facts === null || facts.width === 0 || facts.height === 0 ? null : facts;
}

/** An image in JSON text. */
export interface ImageInJson extends Base64InJson {
  facts: ImageFacts;
}

/**
 * Finds the images in JSON text, also those in JSON that is in a string or in base64. The place of one in base64 is
 * that of the whole string.
 */
export function* imagesInJson(json: string, deepest = deepestBase64): Generator<ImageInJson> {
  for (const found of base64InJson(json, imageInJson)) {
    const facts = imageOf(found.head);
    if (facts !== null) yield { ...found, facts };
    else if (deepest > 0 && !found.isDeclared && base64OfText.test(found.head)) {
      const text = byteTextOf(found.base64());
      if (text === null) continue;
      for (const inner of imagesInJson(JSON.stringify(text), deepest - 1))
        yield { ...found, facts: inner.facts, base64: inner.base64 };
    }
  }
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
