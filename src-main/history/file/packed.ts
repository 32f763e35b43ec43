import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** The encoding of a blob: 0 unchanged, 1 zstd. */
export interface Packed {
  encoding: number;
  data: Uint8Array;
}

/** Below this many bytes compression costs more than it saves: a third of an insert for a quarter of a page. */
const packFromBytes = 4_096;
/** Level 1, because an append must not wait for the last few per cent. */
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Compresses `raw` if it is large enough and becomes smaller. */
export function pack(raw: Uint8Array): Packed {
  if (raw.byteLength < packFromBytes) return { encoding: 0, data: raw };
  const data = zstdCompressSync(raw, options);
  return data.byteLength < raw.byteLength ? { encoding: 1, data } : { encoding: 0, data: raw };
}

/** The bytes before `pack`. */
export function unpack(packed: Packed): Buffer {
  if (packed.encoding === 1) return zstdDecompressSync(packed.data);
  return Buffer.from(packed.data.buffer, packed.data.byteOffset, packed.data.byteLength);
}

/** As `pack`, for a text in UTF-8. */
export function packText(text: string): Packed {
  return pack(Buffer.from(text, 'utf8'));
}

/** The text before `packText`. */
export function unpackText(packed: Packed): string {
  return unpack(packed).toString('utf8');
}
