import { createHash } from 'node:crypto';

/** So much of a long reply tells whether it is one that came before. */
export const beginningBytes = 1_000_000;

/** A text that is equal for replies which begin equally; null where there is less than a beginning. */
export function beginningMark(bytes: Uint8Array): string | null {
  return bytes.length < beginningBytes
    ? null
    : createHash('sha1').update(bytes.subarray(0, beginningBytes)).digest('base64');
}
