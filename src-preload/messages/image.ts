import { formatBytes } from '../format.ts';
import type { ImageFacts } from '../image-bytes.ts';

/** A few words in place of an image: "PNG, 512 × 512, 49 KB". They have no quote, so that they can be put into JSON. */
export function imageCaption({ format, width, height }: ImageFacts, bytes: number): string {
  return mediaCaption({ extension: format, width, height }, bytes);
}

/** The same for a sound or a video, whose size in pixels is not known: "MP3, 49 KB". */
export function mediaCaption(
  { extension, width, height }: { extension: string; width: number | null; height: number | null },
  bytes: number,
): string {
  const size = width === null || height === null ? [] : [`${width} × ${height}`];
  return [extension.toUpperCase(), ...size, formatBytes(bytes)].join(', ');
}
