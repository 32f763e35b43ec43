import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** How a blob is kept: 0 as it is, 1 as zstd. */
export interface Packed {
  encoding: number;
  data: Uint8Array;
}

/** Below this many bytes compressing costs more than it saves. */
const packFromBytes = 1_024;
/** Level 1: an append must not wait for the last per cent. */
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Compresses `raw` when it is large enough and becomes smaller by it. */
export function pack(raw: Uint8Array): Packed {
  if (raw.byteLength < packFromBytes) return { encoding: 0, data: raw };
  const data = zstdCompressSync(raw, options);
  return data.byteLength < raw.byteLength ? { encoding: 1, data } : { encoding: 0, data: raw };
}

/** The bytes as they were before `pack`. */
export function unpack(packed: Packed): Buffer {
  if (packed.encoding === 1) return zstdDecompressSync(packed.data);
  return Buffer.from(packed.data.buffer, packed.data.byteOffset, packed.data.byteLength);
}

/** As `pack`, of a text in UTF-8. */
export function packText(text: string): Packed {
  return pack(Buffer.from(text, 'utf8'));
}

/** The text as it was before `packText`. */
export function unpackText(packed: Packed): string {
  return unpack(packed).toString('utf8');
}
