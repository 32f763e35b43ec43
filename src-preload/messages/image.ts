import { formatBytes } from '../format.ts';
import type { ImageFacts } from '../image-bytes.ts';

/** A few words in place of an image: "PNG, 512 × 512, 49 KB". They have no quote, so that they can be put into JSON. */
export function imageCaption({ format, width, height }: ImageFacts, bytes: number): string {
  const size = width === null || height === null ? [] : [`${width} × ${height}`];
  return [format.toUpperCase(), ...size, formatBytes(bytes)].join(', ');
}
