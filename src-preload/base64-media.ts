import { base64InJson, bytesOf, headerOf, inJson, slashInJson, type Base64InJson } from './base64.ts';
import { imageBeginnings, imageOf } from './base64-images.ts';
import { fileFacts, type FileFacts } from './file-bytes.ts';

/** The images, sounds and videos in base64 that are shown or played. Their bytes decide what they are. */

export type MediaKind = 'image' | 'audio' | 'video';

/** What the first bytes of an image, a sound or a video say about it. */
export interface MediaFacts {
  kind: MediaKind;
  /** The extension of a file name, without the dot. For an image, its format. */
  extension: string;
  /** In pixels. Null if not known, and for sounds and videos. */
  width: number | null;
  height: number | null;
}

/** How base64 of FLAC, Ogg, MP3 and WebM begins. WAV and MP4 begin like WebP and AVIF. */
function soundBeginnings(slash: string): string {
  return `(?:ZkxhQ|T2dnU|SUQz|${slash}${slash}(?:[A-Za-z0-9+]|${slash}){2}|GkXfo)`;
}

const anyBeginning = (slash: string): string => `(?:${imageBeginnings(slash)}|${soundBeginnings(slash)})`;
/** A string, as parsed, that may be one in base64. */
export const mediaStart = new RegExp(`^${anyBeginning('/')}`);
const mediaInText = inJson(anyBeginning(slashInJson));

/** A text may begin like a file, but contains blanks. */
const unbrokenBase64 = /^[A-Za-z0-9+/]{44}/;
/** Enough for the beginning of any file. A multiple of four, so that the bytes can be read. */
const fileHeadChars = 64;

/**
 * What the first bytes of base64 say of a file other than an image. `isDeclared`: it is in a data URL. Null if they are
 * of no known file.
 */
export function fileOf(base64: string, isDeclared: boolean): FileFacts | null {
  if (!isDeclared && !unbrokenBase64.test(base64)) return null;
  const head = headerOf(base64.slice(0, fileHeadChars));
  return head === null ? null : fileFacts(bytesOf(head));
}

/** What the first bytes of base64 say. Null if they are of no image, sound or video. */
export function mediaOf(base64: string, isDeclared: boolean): MediaFacts | null {
  const image = imageOf(base64);
  if (image !== null) return { kind: 'image', extension: image.format, width: image.width, height: image.height };
  const file = fileOf(base64, isDeclared);
  if (file === null || file.kind === 'file') return null;
  return { kind: file.kind, extension: file.extension, width: null, height: null };
}

/** An image, a sound or a video in JSON text. */
export interface MediaInJson extends Base64InJson {
  facts: MediaFacts;
}

/** Finds them in JSON text, also in JSON that is in a string. */
export function* mediaInJson(json: string): Generator<MediaInJson> {
  for (const found of base64InJson(json, mediaInText)) {
    const facts = mediaOf(found.head, found.isDeclared);
    if (facts !== null) yield { ...found, facts };
  }
}

/** Whether JSON text may have one: the beginnings alone are checked. */
export function mayHaveMedia(json: string): boolean {
  return json.search(mediaInText) !== -1;
}
