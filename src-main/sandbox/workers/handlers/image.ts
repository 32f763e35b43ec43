import { crc32, deflateSync } from 'node:zlib';
import { createSeededRandom, seedFromText } from '../../seeded-random.ts';
import { numberInput, sleep } from './job.ts';
import type { HandlerContext, Job } from './job.ts';
import { paintLandscape } from './landscape.ts';

const STEPS = 8;
const STEP_MS = 110;

/**
 * Returns generated landscapes as base64 PNGs: `{images: [{type: 'base64', filename, data}]}`. Input:
 * `prompt`, `width` and `height` (512), `seed` (made from the prompt), `count` (1). Takes about a
 * second an image, in steps shown as progress, as a diffusion model's worker does.
 */
export async function handler(job: Job, context: HandlerContext): Promise<unknown> {
  const { input } = job;
  const prompt = typeof input['prompt'] === 'string' ? input['prompt'] : '';
  const width = numberInput(input, 'width', { default: 512, min: 16, max: 2_048, isInteger: true });
  const height = numberInput(input, 'height', { default: 512, min: 16, max: 2_048, isInteger: true });
  const count = numberInput(input, 'count', { default: 1, min: 1, max: 8, isInteger: true });
  const seed = numberInput(input, 'seed', { default: seedFromText(prompt), min: 0, max: 2 ** 53, isInteger: true });

  const images: { type: 'base64'; filename: string; data: string }[] = [];
  for (let index = 0; index < count; index += 1) {
    for (let step = 1; step <= STEPS; step += 1) {
      job.progress({ image: index + 1, of: count, step, steps: STEPS });
      await sleep(STEP_MS, job, context);
    }
    const pixels = paintLandscape(width, height, createSeededRandom(seed + index));
    const data = encodePng(width, height, pixels).toString('base64');
    images.push({ type: 'base64', filename: `landscape-${seed}-${index + 1}.png`, data });
  }
  return { images };
}

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
