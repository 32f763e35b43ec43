import { imageFacts } from './image-bytes.ts';
import type { ImageFormat } from './image-bytes.ts';

/** A picture found in an output, still as base64. */
export interface FoundImage {
  /** Where it stands, like `output.images[2].data`; also its name when it has no file name. */
  path: string;
  /** A file name given beside the data, or null. */
  filename: string | null;
  base64: string;
  format: ImageFormat;
  width: number | null;
  height: number | null;
  bytes: number;
  /** Small values that stand beside the picture (seed, steps, ...), to show under it. */
  facts: [string, string][];
}

/** A picture the output only points to; shown as a link, never loaded. */
export interface ImageLink {
  path: string;
  url: string;
}

export interface Images {
  found: FoundImage[];
  links: ImageLink[];
  /** True when the search stopped at a limit. */
  isCapped: boolean;
}

/** Enough to look through by hand; more stays reachable under Raw. */
export const maxImages = 64;
/** Values visited before the search gives up. */
const maxVisited = 200_000;
/** Shorter strings are words, not pictures (the smallest PNG is 67 bytes). */
const minBase64Chars = 48;
/** Enough for every header but a JPEG's with large metadata. */
const headerChars = 256 * 1024;

const dataUrl = /^data:image\/[a-z0-9.+-]+(?:;[a-z0-9=-]+)*;base64,/i;
const magicStart = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)/;
const pictureUrl = /^https?:\/\/\S+\.(?:png|jpe?g|gif|webp)(?:[?#]\S*)?$/i;

/**
 * Pictures anywhere in a parsed output: data URLs, and base64 that begins like a PNG, JPEG, GIF or WebP (plain strings or
 * `{ type: 'base64', filename, data }`). What the bytes say decides, never the name.
 */
export function findImages(output: unknown): Images {
  const images: Images = { found: [], links: [], isCapped: false };
  let visited = 0;

  const visit = (value: unknown, path: string, holder: Record<string, unknown> | null): void => {
    visited += 1;
    if (images.found.length >= maxImages || visited > maxVisited) {
      images.isCapped = true;
      return;
    }
    if (typeof value === 'string') {
      const base64 = base64Of(value);
      const image = base64 === null ? null : readImage(base64);
      if (base64 !== null && image !== null) images.found.push({ path, base64, filename: filenameIn(holder), facts: factsIn(holder), ...image });
      else if (pictureUrl.test(value) && images.links.length < maxImages) images.links.push({ path, url: value });
      return;
    }
    if (Array.isArray(value)) {
      for (const [index, member] of value.entries()) visit(member, `${path}[${index}]`, holder);
      return;
    }
    if (typeof value === 'object' && value !== null) {
      const record: Record<string, unknown> = { ...value };
      for (const [key, member] of Object.entries(record)) visit(member, path === '' ? key : `${path}.${key}`, record);
    }
  };
  visit(output, '', null);
  return images;
}

function base64Of(text: string): string | null {
  if (text.length < minBase64Chars) return null;
  const prefix = dataUrl.exec(text.slice(0, 200))?.[0];
  if (prefix !== undefined) return text.slice(prefix.length);
  return magicStart.test(text) ? text : null;
}

function readImage(base64: string): { format: ImageFormat; width: number | null; height: number | null; bytes: number } | null {
  const head = decodeBase64(base64.slice(0, headerChars - (headerChars % 4)));
  const facts = head === null ? null : imageFacts(head);
  // A header of nothing by nothing is not a picture but text that happens to begin like one.
  if (facts === null || facts.width === 0 || facts.height === 0) return null;
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return { ...facts, bytes: Math.floor((base64.length * 3) / 4) - padding };
}

/** Bytes of a base64 text, or null when it is none. */
export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | null {
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

/** Scalars that stand beside the picture, at most six. */
function factsIn(holder: Record<string, unknown> | null): [string, string][] {
  if (holder === null) return [];
  const facts: [string, string][] = [];
  for (const [key, value] of Object.entries(holder)) {
    if (typeof value === 'number' || typeof value === 'boolean') facts.push([key, String(value)]);
    else if (typeof value === 'string' && value.length <= 60 && value !== '' && base64Of(value) === null && !['type', 'filename', 'file_name', 'name'].includes(key)) facts.push([key, value]);
    if (facts.length === 6) break;
  }
  return facts;
}

/** Endings of pictures; not svg, which a browser opens as a page. */
const pictureEnding = /\.(?:png|jpe?g|gif|webp|bmp|avif)$/i;

/** A safe file name to save under. A worker's own name keeps no other ending than a picture's: opening the file must only show it. */
export function saveName(image: FoundImage, index: number, jobName: string): string {
  const extension = image.format === 'jpeg' ? 'jpg' : image.format;
  const given = image.filename?.split(/[\\/]/).at(-1)?.replace(/[^\w.() -]+/g, '_').replace(/^\.+/, '');
  if (given !== undefined && given !== '') return pictureEnding.test(given) ? given : `${given}.${extension}`;
  return `${jobName}-${index + 1}.${extension}`;
}
