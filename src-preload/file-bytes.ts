import { brandsOf } from './image-bytes.ts';

/** The kind of a file, by its first bytes. Only known formats are played; anything else is a plain file. */

type FileKind = 'audio' | 'video' | 'file';

export interface FileFacts {
  kind: FileKind;
  /** The media type for the browser. */
  type: string;
  /** For the file name, without the dot. */
  extension: string;
}

type Signature = FileFacts & { at: number; bytes: readonly number[] };

const text = (letters: string): number[] => [...letters].map((letter) => letter.charCodeAt(0));
const of = (kind: FileKind, type: string, extension: string, bytes: readonly number[], at = 0): Signature => ({
  kind,
  type,
  extension,
  bytes,
  at,
});

const signatures: readonly Signature[] = [
  of('audio', 'audio/wav', 'wav', text('WAVE'), 8),
  of('video', 'video/x-msvideo', 'avi', text('AVI '), 8),
  of('audio', 'audio/flac', 'flac', text('fLaC')),
  of('audio', 'audio/ogg', 'ogg', text('OggS')),
  of('audio', 'audio/mpeg', 'mp3', text('ID3')),
  of('video', 'video/webm', 'webm', [0x1a, 0x45, 0xdf, 0xa3]),
  of('file', 'image/tiff', 'tiff', [...text('II'), 0x2a, 0]),
  of('file', 'image/tiff', 'tiff', [...text('MM'), 0, 0x2a]),
  of('file', 'application/pdf', 'pdf', text('%PDF-')),
  of('file', 'application/zip', 'zip', [0x50, 0x4b, 0x03, 0x04]),
  of('file', 'application/gzip', 'gz', [0x1f, 0x8b, 0x08]),
  of('file', 'application/zstd', 'zst', [0x28, 0xb5, 0x2f, 0xfd]),
  of('file', 'application/octet-stream', 'npy', [0x93, ...text('NUMPY')]),
  of('file', 'model/gltf-binary', 'glb', text('glTF')),
  of('file', 'application/octet-stream', 'parquet', text('PAR1')),
  of('file', 'application/octet-stream', 'gguf', text('GGUF')),
];

/** By their brand. An unknown one with this beginning counts as mp4. */
const mediaBrands: readonly (FileFacts & { brand: RegExp })[] = [
  { brand: /^(?:hei[cmsx]|hev[cmsx]|mif1|msf1)$/, kind: 'file', type: 'image/heic', extension: 'heic' },
  { brand: /^(?:M4[AB] )$/, kind: 'audio', type: 'audio/mp4', extension: 'm4a' },
  { brand: /^qt  $/, kind: 'video', type: 'video/quicktime', extension: 'mov' },
  { brand: /^/, kind: 'video', type: 'video/mp4', extension: 'mp4' },
];

/** Null if none of these begins with the bytes. */
export function fileFacts(bytes: Uint8Array): FileFacts | null {
  const found = signatures.find(({ at, bytes: wanted }) => wanted.every((byte, index) => bytes[at + index] === byte));
  if (found !== undefined) {
    const { kind, type, extension } = found;
    return { kind, type, extension };
  }
  const [main] = brandsOf(bytes);
  const media = main === undefined ? undefined : mediaBrands.find(({ brand }) => brand.test(main));
  if (media !== undefined) return { kind: media.kind, type: media.type, extension: media.extension };
  return isMpegFrame(bytes) ? { kind: 'audio', type: 'audio/mpeg', extension: 'mp3' } : null;
}

/** A frame of MPEG audio: layer, bit rate and sample rate must exist. */
function isMpegFrame(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = bytes;
  const hasLayer = (second & 0x06) !== 0 && (second & 0x18) !== 0x08;
  return first === 0xff && (second & 0xe0) === 0xe0 && hasLayer && third >> 4 !== 15 && (third & 0x0c) !== 0x0c;
}
