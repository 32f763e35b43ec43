import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOUR_TYPE_RGB = 2;
const FILTER_SUB = 1;
const CHANNELS = 3;

function section(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** Encodes `width * height` RGB pixels (three bytes each, rows from the top) as a PNG file. */
export function encodePng(width: number, height: number, rgb: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, COLOUR_TYPE_RGB, 0, 0, 0], 8);

  const rowBytes = width * CHANNELS;
  const filtered = Buffer.alloc((rowBytes + 1) * height);
  for (let y = 0; y < height; y += 1) {
    const from = y * rowBytes;
    const to = y * (rowBytes + 1);
    filtered[to] = FILTER_SUB;
    for (let index = 0; index < rowBytes; index += 1) {
      const left = index < CHANNELS ? 0 : (rgb[from + index - CHANNELS] ?? 0);
      filtered[to + 1 + index] = ((rgb[from + index] ?? 0) - left) & 0xff;
    }
  }
  return Buffer.concat([
    SIGNATURE,
    section('IHDR', header),
    section('IDAT', deflateSync(filtered)),
    section('IEND', Buffer.alloc(0)),
  ]);
}
