import { base64OfText, bytesIn, dataUrlPrefix, deepestBase64, isLongEnough } from '../../../src-preload/base64.ts';
import { imageAddress, imageOf, maxImages } from '../../../src-preload/base64-images.ts';
import { fileOf, mediaStart } from '../../../src-preload/base64-media.ts';
import type { FileFacts } from '../../../src-preload/file-bytes.ts';
import type { ImageFacts, ImageFormat } from '../../../src-preload/image-bytes.ts';
import { readJson } from './json-reading.ts';
import type { Steps } from '../../stream/use-steps.ts';

/** An image in an output, still as base64. */
export interface FoundImage {
  /** Its path, such as `output.images[2].data`. Also its name if it has no file name. */
  path: string;
  /** The file name beside the data, or null. */
  filename: string | null;
  base64: string;
  format: ImageFormat;
  width: number | null;
  height: number | null;
  bytes: number;
  /** Small values beside the image (seed, steps, ...), to be shown under it. */
  facts: [string, string][];
}

/** Audio, video or another file in an output, still as base64. */
export interface FoundFile extends FileFacts {
  path: string;
  filename: string | null;
  base64: string;
  bytes: number;
}

/** The address of an image or a file in the output. Shown as a link, never loaded. */
export interface OutputLink {
  path: string;
  url: string;
}

export interface Images {
  found: FoundImage[];
  links: OutputLink[];
  /** Addresses of sounds, videos, archives and other files. */
  fileLinks: OutputLink[];
  files: FoundFile[];
  /** True if the search stopped at a limit. */
  isCapped: boolean;
}

/** The search ends after this many values. */
const maxVisited = 200_000;
/** How many values a step of the search visits. */
const visitedAStep = 500;
/** The path of a deeper place shows only its beginning and its end. */
const deepestNamed = 24;
/** The beginnings of files that are neither shown nor played, in base64. */
const otherStart = /^(?:SUkqA|TU0AK|JVBER|UEsDB|H4sI|KLUv\/|k05VTVBZ|Z2xURg|UEFSMQ|R0dVRg)/;
const fileUrl = new RegExp(
  String.raw`^https?:\/\/[^\s?#]+\.(?:mp[34]|m4[av]|mov|webm|avi|mkv|wav|flac|ogg|opus|pdf|zip|tar|t?gz|zst|7z` +
    String.raw`|glb|gltf|obj|ply|stl|npy|npz|parquet|safetensors|gguf|pt|ckpt|onnx|csv|jsonl?|ndjson` +
    String.raw`|txt|srt|vtt)(?:[?#]\S*)?$`,
  'i',
);
/** A signed address, as object stores make them. It has no ending that says its kind. */
const signedUrl = /^https?:\/\/\S+[?&](?:X-Amz-Signature|X-Goog-Signature|Signature|sig)=/i;
/** A text that is JSON and may contain a file or an address. */
const nestedJson = /^\s*[[{]/;
const worthReading = /[A-Za-z0-9+/]{44}|https?:/;
/** An array or object on the way down. */
interface Level {
  /** Null for an array. */
  names: readonly string[] | null;
  values: readonly unknown[];
  at: number;
  /** The nearest object: the value itself, or the one around an array. */
  holder: Record<string, unknown> | null;
  /** In how many texts in base64 it is. */
  depth: number;
}

/**
 * Finds images anywhere in a parsed output, at any depth: data URLs, and base64 with the beginning of a PNG, JPEG, GIF,
 * WebP, BMP or AVIF (plain strings or `{ type: 'base64', filename, data }`), also in JSON or base64 that is in base64,
 * as often as `imagesInJson` goes into it (`deepestBase64`). The bytes decide, never the name.
 */
export function* findImages(output: unknown): Steps<Images> {
  const images: Images = { found: [], links: [], fileLinks: [], files: [], isCapped: false };
  const levels: Level[] = [{ names: null, values: [output], at: 0, holder: null, depth: 0 }];
  for (let visited = 0; ;) {
    const level = levels.at(-1);
    if (level === undefined) return images;
    if (level.at === level.values.length) {
      levels.pop();
      continue;
    }
    visited += 1;
    if (images.found.length + images.files.length >= maxImages || visited > maxVisited)
      return { ...images, isCapped: true };
    if (visited % visitedAStep === 0) yield;
    const value = level.values[level.at];
    level.at += 1;
    if (typeof value === 'string') yield* searchText(value, levels, images, level.depth);
    else if (typeof value === 'object' && value !== null) levels.push(levelOf(value, level));
  }
}

/** `depth`: in how many texts in base64 it is. */
function* searchText(text: string, levels: Level[], images: Images, depth: number): Steps<void> {
  const base64 = base64Of(text);
  const holder = levels.at(-1)?.holder ?? null;
  const image = base64 === null ? null : readImage(base64);
  if (base64 !== null && image !== null) {
    images.found.push({ path: pathOf(levels), base64, filename: filenameIn(holder), facts: factsIn(holder), ...image });
    yield;
    return;
  }
  const file = base64 === null ? null : readFile(base64, text.startsWith('data:'));
  if (base64 !== null && file !== null) {
    images.files.push({ path: pathOf(levels), base64, filename: filenameIn(holder), ...file });
    yield;
    return;
  }
  if (nestedJson.test(text.slice(0, 100)) && worthReading.test(text)) {
    const { value } = yield* readJson(text);
    if (typeof value === 'object' && value !== null) levels.push(levelOf(value, { holder, depth }));
    return;
  }
  const inner = depth < deepestBase64 && base64OfText.test(text) ? yield* textIn(text) : null;
  if (inner !== null) return yield* searchText(inner, levels, images, depth + 1);
  const links = imageAddress.test(text)
    ? images.links
    : fileUrl.test(text) || signedUrl.test(text)
      ? images.fileLinks
      : null;
  if (links !== null && links.length < maxImages) links.push({ path: pathOf(levels), url: text });
}

/** The values of an array or an object, to be visited next. */
function levelOf(value: object, around: Pick<Level, 'holder' | 'depth'>): Level {
  const { depth } = around;
  if (Array.isArray(value)) return { names: null, values: value, at: 0, holder: around.holder, depth };
  const holder: Record<string, unknown> = { ...value };
  return { names: Object.keys(holder), values: Object.values(holder), at: 0, holder, depth };
}

/** The path of the last visited value: `output.images[2].data`. */
function pathOf(levels: readonly Level[]): string {
  const steps = levels.slice(1).map(({ names, at }) => (names === null ? `[${at - 1}]` : `.${names[at - 1] ?? ''}`));
  const named =
    steps.length <= deepestNamed
      ? steps
      : [...steps.slice(0, deepestNamed / 2), '…', ...steps.slice(-deepestNamed / 2)];
  return named.join('').replace(/^\./, '');
}

function base64Of(text: string): string | null {
  if (!isLongEnough(text)) return null;
  const prefix = dataUrlPrefix(text);
  if (prefix !== null) return text.slice(prefix.length);
  return mediaStart.test(text) || otherStart.test(text) ? text : null;
}

function readImage(base64: string): (ImageFacts & { bytes: number }) | null {
  const facts = imageOf(base64);
  return facts === null ? null : { ...facts, bytes: bytesIn(base64) };
}

/** `isDeclared`: the output says that it is a file, so it counts as one whatever its beginning. */
function readFile(base64: string, isDeclared: boolean): (FileFacts & { bytes: number }) | null {
  const facts = fileOf(base64, isDeclared);
  if (facts !== null) return { ...facts, bytes: bytesIn(base64) };
  return isDeclared && isBase64(base64)
    ? { kind: 'file', type: 'application/octet-stream', extension: 'bin', bytes: bytesIn(base64) }
    : null;
}

/** Whether the beginning of a text is base64. */
function isBase64(text: string): boolean {
  return decodeBase64(text.slice(0, fileHeadChars)) !== null;
}

/** The first bytes of a file, for its hex view. Null if its text is not base64. */
export function firstBytes({ base64 }: Pick<FoundFile, 'base64'>, max: number): Uint8Array | null {
  return decodeBase64(base64.replaceAll(/\s+/g, '').slice(0, Math.ceil(max / 3) * 4))?.subarray(0, max) ?? null;
}

/** Enough for the beginning of any file. */
const fileHeadChars = 64;

/** How many characters are decoded in one step. A multiple of four, so that each piece is complete. */
const decodedAStep = 131_072;

/** An image's bytes for the browser, decoded in small steps. Null if its text is not base64. */
export function* imageBlob({ base64, format }: Pick<FoundImage, 'base64' | 'format'>): Steps<Blob | null> {
  return yield* blobOf(base64, `image/${format}`);
}

/** The bytes of a base64 text for the browser, decoded in small steps. Null if it is not base64. */
export function* blobOf(base64: string, type: string): Steps<Blob | null> {
  const parts = yield* bytesOf(base64);
  return parts === null ? null : new Blob(parts, { type });
}

/** The bytes of a base64 text in parts. Null if it is not base64. */
function* bytesOf(base64: string): Steps<Uint8Array<ArrayBuffer>[] | null> {
  // Line ends would shift the places where pieces may be cut. Wrapped base64 has some near its beginning.
  const text = /\s/.test(base64.slice(0, decodedAStep)) ? base64.replaceAll(/\s+/g, '') : base64;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < text.length; at += decodedAStep) {
    const bytes = decodeBase64(text.slice(at, at + decodedAStep));
    if (bytes === null) return null;
    parts.push(bytes);
    yield;
  }
  return parts;
}

/** The text in a base64 text, decoded in small steps. Null if it is none. */
function* textIn(base64: string): Steps<string | null> {
  const parts = yield* bytesOf(base64);
  if (parts === null) return null;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
  } catch {
    return null;
  }
}

/** The bytes of a base64 text, or null if it is not one. */
function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(base64);
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
    return bytes;
  } catch {
    return null;
  }
}

function filenameIn(holder: Record<string, unknown> | null): string | null {
  for (const key of ['filename', 'file_name', 'name']) {
    const value = holder?.[key];
    if (typeof value === 'string' && value !== '' && value.length <= 200) return value;
  }
  return null;
}

/** At most six scalars beside the image. */
function factsIn(holder: Record<string, unknown> | null): [string, string][] {
  if (holder === null) return [];
  const facts: [string, string][] = [];
  for (const [key, value] of Object.entries(holder)) {
    if (typeof value === 'number' || typeof value === 'boolean') facts.push([key, String(value)]);
    else if (
      typeof value === 'string' &&
      value.length <= 60 &&
      value !== '' &&
      base64Of(value) === null &&
      !['type', 'filename', 'file_name', 'name'].includes(key)
    )
      facts.push([key, value]);
    if (facts.length === 6) break;
  }
  return facts;
}

/** File endings of images. Not svg, which a browser opens as a page. */
const pictureEnding = /\.(?:png|jpe?g|gif|webp|bmp|avif)$/i;

/**
 * The name an image is saved under. The worker's file name keeps its ending only if that is an image's, so that opening
 * the file can only show it.
 */
export function saveName(image: FoundImage, index: number, jobName: string): string {
  const extension = image.format === 'jpeg' ? 'jpg' : image.format;
  const given = givenName(image.filename);
  if (given === null) return `${jobName}-${index + 1}.${extension}`;
  return pictureEnding.test(given) ? given : `${given}.${extension}`;
}

/** The name a file is saved under. Its bytes decide the ending, never the worker. */
export function fileSaveName(file: FoundFile, index: number, jobName: string): string {
  const name = givenName(file.filename) ?? `${jobName}-file-${index + 1}`;
  return name.toLowerCase().endsWith(`.${file.extension}`) ? name : `${name}.${file.extension}`;
}

/**
 * The worker's file name without its folders, and without the dots and spaces at its start, which would hide the file.
 * Null if nothing is left. Main decides which characters a name may have (`fileNameOf`).
 */
function givenName(filename: string | null): string | null {
  const name = filename
    ?.split(/[\\/]/)
    .at(-1)
    ?.replace(/^[. ]+/, '');
  return name === undefined || name === '' ? null : name;
}
