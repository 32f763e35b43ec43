/** What an image's first bytes say about it. Nothing here decodes pixels; the browser does that. */

/** The formats that every Chromium can draw. */
export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'bmp' | 'avif';

export interface ImageFacts {
  format: ImageFormat;
  /** Null if the header does not say or is incomplete. */
  width: number | null;
  height: number | null;
}

/** Reads format and dimensions from magic bytes and header. Null for bytes of any other format. */
export function imageFacts(bytes: Uint8Array): ImageFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) {
    return bytes.length >= 24
      ? { format: 'png', width: view.getUint32(16), height: view.getUint32(20) }
      : { format: 'png', width: null, height: null };
  }
  if (startsWith(bytes, [0x47, 0x49, 0x46, 0x38])) {
    return bytes.length >= 10
      ? { format: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
      : { format: 'gif', width: null, height: null };
  }
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return { format: 'jpeg', ...jpegSize(bytes, view) };
  if (startsWith(bytes, [0x52, 0x49, 0x46, 0x46]) && startsWith(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50]))
    return { format: 'webp', ...webpSize(bytes, view) };
  if (startsWith(bytes, [0x42, 0x4d])) return bmpFacts(bytes, view);
  if (brandsOf(bytes).some((brand) => brand === 'avif' || brand === 'avis'))
    return { format: 'avif', ...avifSize(bytes, view) };
  return null;
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return bytes.length >= magic.length && magic.every((byte, index) => bytes[index] === byte);
}

const unknownSize = { width: null, height: null };

/** Reads the segments up to the frame header (SOF). */
function jpegSize(bytes: Uint8Array, view: DataView): { width: number | null; height: number | null } {
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return unknownSize;
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // Fill bytes and markers without a length.
    at += marker === 0xff ? 1 : marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9) ? 2 : 2 + view.getUint16(at + 2);
  }
  return unknownSize;
}

function webpSize(bytes: Uint8Array, view: DataView): { width: number | null; height: number | null } {
  if (bytes.length < 30) return unknownSize;
  const kind = String.fromCharCode(...bytes.subarray(12, 16));
  if (kind === 'VP8 ') return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  if (kind === 'VP8X') {
    const at = (offset: number): number =>
      (bytes[offset] ?? 0) | ((bytes[offset + 1] ?? 0) << 8) | ((bytes[offset + 2] ?? 0) << 16);
    return { width: at(24) + 1, height: at(27) + 1 };
  }
  return unknownSize;
}

/** The brands of an ISO media file (mp4, mov, AVIF, HEIC, …), its main one first. Empty for other bytes. */
export function brandsOf(bytes: Uint8Array): readonly string[] {
  if (bytes.length < 16 || !startsWith(bytes.subarray(4), [0x66, 0x74, 0x79, 0x70])) return [];
  const size = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
  const brands: string[] = [];
  // The main brand is followed by a version.
  for (let at = 8; at + 4 <= Math.min(size, bytes.length); at += at === 8 ? 8 : 4)
    brands.push(String.fromCharCode(...bytes.subarray(at, at + 4)));
  return brands;
}

const bmpHeaders: ReadonlySet<number> = new Set([40, 52, 56, 108, 124]);

/** Many texts begin with these two letters, so the header is checked too. */
function bmpFacts(bytes: Uint8Array, view: DataView): ImageFacts | null {
  if (bytes.length < 26 || view.getUint32(6) !== 0 || !bmpHeaders.has(view.getUint32(14, true))) return null;
  // An image that is stored from the top down has a negative height.
  return { format: 'bmp', width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
}

/** Read from its first `ispe` box. */
function avifSize(bytes: Uint8Array, view: DataView): { width: number | null; height: number | null } {
  for (let at = 16; at + 16 <= bytes.length; at += 1)
    if (startsWith(bytes.subarray(at, at + 4), [0x69, 0x73, 0x70, 0x65]))
      return { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
  return unknownSize;
}

/**
 * Where an image ends, in bytes, as its first bytes say. Null for PNG, JPEG and GIF, which end with a mark
 * (`hasImageEnd`). `format` may be any; of another one it is null.
 */
export function imageLength(format: string, head: Uint8Array): number | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  switch (format) {
    case 'webp':
      return head.length >= 8 ? view.getUint32(4, true) + 8 : null;
    case 'bmp':
      return head.length >= 6 ? view.getUint32(2, true) : null;
    case 'avif':
      return endOfBoxes(view);
    default:
      return null;
  }
}

/** Whether the last bytes of a PNG, JPEG or GIF have the mark of its end. */
export function hasImageEnd(format: string, tail: Uint8Array): boolean {
  switch (format) {
    case 'png':
      return includes(tail, [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);
    case 'jpeg':
      return includes(tail, [0xff, 0xd9]);
    case 'gif': {
      // Some writers fill the end with zeros. Before the mark is the empty block that ends the data.
      const last = tail.findLastIndex((byte) => byte !== 0);
      return tail[last] === 0x3b && tail[last - 1] === 0;
    }
    default:
      return false;
  }
}

function includes(bytes: Uint8Array, wanted: readonly number[]): boolean {
  return bytes.some((_, at) => startsWith(bytes.subarray(at), wanted));
}

/** Where the boxes of an ISO media file end, as far as its first bytes say. */
function endOfBoxes(view: DataView): number {
  let at = 0;
  while (at + 8 <= view.byteLength) {
    const size = view.getUint32(at);
    // The last box may be as long as the rest. The size of a huge one is elsewhere.
    if (size < 8) return 0;
    at += size;
  }
  return at;
}
