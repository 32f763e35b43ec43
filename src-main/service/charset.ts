import { isUtf8 } from 'node:buffer';
import { bufferOf } from './json-scan.ts';

/** The charset in a `content-type`, in lower case, or null. */
export function charsetOf(contentType: string | null): string | null {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase() ?? null;
}

/**
 * The bytes of a reply in another charset as UTF-8. Null if they are UTF-8, as JSON has to be (RFC 8259), or if the
 * charset is not known. The name alone is not believed: some servers name one for every reply. Only UTF-16 may look
 * like UTF-8, because half of its bytes are zero.
 */
export function inUtf8(came: Uint8Array, charset: string | null): Buffer<ArrayBuffer> | null {
  const bytes = bufferOf(came);
  const name = utf16Of(bytes) ?? charset;
  if (name === null || name === 'utf-8' || (!name.startsWith('utf-16') && isUtf8(bytes))) return null;
  try {
    return Buffer.from(new TextDecoder(name).decode(bytes));
  } catch {
    // This charset is not known.
    return null;
  }
}

/** Which UTF-16 it is by its mark. */
function utf16Of(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}
