import { crc32, deflateSync } from 'node:zlib';
import { createSeededRandom, seedFromText } from '../../seeded-random.ts';
import { numberInput, sleep, type HandlerContext, type Job } from './job.ts';

const STEPS = 8;
const STEP_MS = 110;

/**
 * Returns generated landscapes as base64 PNGs: `{images: [{type: 'base64', filename, data}]}`. Input: `prompt`, `width`
 * and `height` (512), `seed` (made from the prompt), `count` (1). Takes about a second per image, in steps shown as
 * progress, like a diffusion model's worker.
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

type Colour = readonly [number, number, number];

interface Palette {
  skyTop: Colour;
  skyLow: Colour;
  sun: Colour;
  far: Colour;
  near: Colour;
}

const PALETTES: readonly Palette[] = [
  { skyTop: [38, 52, 110], skyLow: [252, 190, 150], sun: [255, 240, 214], far: [168, 140, 168], near: [28, 26, 56] },
  { skyTop: [86, 142, 190], skyLow: [240, 232, 214], sun: [255, 252, 236], far: [166, 190, 202], near: [22, 52, 58] },
  { skyTop: [24, 30, 66], skyLow: [120, 110, 170], sun: [236, 238, 255], far: [92, 92, 148], near: [12, 14, 34] },
  { skyTop: [196, 96, 92], skyLow: [255, 220, 160], sun: [255, 250, 220], far: [206, 140, 120], near: [58, 26, 44] },
  { skyTop: [60, 130, 140], skyLow: [224, 236, 200], sun: [255, 255, 240], far: [136, 178, 160], near: [16, 48, 44] },
];
const RIDGES = 6;
const WAVES = 7;

function mix(from: Colour, to: Colour, share: number): Colour {
  return [
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
    from[2] + (to[2] - from[2]) * share,
  ];
}

function smooth(share: number): number {
  const clamped = Math.min(1, Math.max(0, share));
  return clamped * clamped * (3 - 2 * clamped);
}

interface Ridge {
  /** The edge in each column, in pixels from the top. */
  line: Float64Array;
  /** The middle height of the edge. */
  base: number;
  colour: Colour;
  /** How much of the low sky's colour its foot has. */
  haze: number;
}

/** A skyline; `depth` runs from 0 (the farthest) to 1. */
function raiseRidge(width: number, height: number, depth: number, colour: Colour, random: () => number): Ridge {
  const waves = Array.from({ length: WAVES }, (_, index) => ({
    cycles: (0.7 + random() * 0.7) * 1.9 ** index,
    phase: random() * Math.PI * 2,
    size: 0.58 ** index,
  }));
  const base = height * (0.46 + 0.46 * depth);
  const swing = height * (0.13 - 0.045 * depth);
  const line = Float64Array.from({ length: width }, (_, x) => {
    const at = (x / width) * Math.PI * 2;
    // The broken absolute value turns hills into peaks.
    const sum = waves.reduce(
      (total, { cycles, phase, size }) => total + size * (1 - 2 * Math.abs(Math.sin((at * cycles) / 2 + phase))),
      0,
    );
    return base - swing * sum;
  });
  return { line, base, colour, haze: 0.5 - 0.32 * depth };
}

/** Paints mountain ridges in haze under a gradient sky with a sun; RGB bytes, rows from the top. */
export function paintLandscape(width: number, height: number, random: () => number): Uint8Array {
  const palette = PALETTES[Math.floor(random() * PALETTES.length)] ?? PALETTES[0];
  if (palette === undefined) return new Uint8Array(width * height * 3);
  const sunX = width * (0.2 + random() * 0.6);
  const sunY = height * (0.18 + random() * 0.16);
  const sunRadius = Math.min(width, height) * (0.045 + random() * 0.03);
  const ridges = Array.from({ length: RIDGES }, (_, index) => {
    const depth = index / (RIDGES - 1);
    return raiseRidge(width, height, depth, mix(palette.far, palette.near, depth), random);
  });

  function skyAt(x: number, y: number): Colour {
    const sky = mix(palette?.skyTop ?? [0, 0, 0], palette?.skyLow ?? [0, 0, 0], smooth(y / (height * 0.62)));
    const distance = Math.hypot(x - sunX, y - sunY) / sunRadius;
    const glow = Math.max(smooth((1.04 - distance) * 12), 0.5 * Math.exp(-distance / 2.6));
    return mix(sky, palette?.sun ?? [255, 255, 255], glow);
  }

  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let colour = skyAt(x, y);
      for (const { line, base, colour: ridgeColour, haze } of ridges) {
        const below = y - (line[x] ?? 0);
        if (below <= -1) continue;
        // Haze is in the valleys: each ridge fades towards the low sky at its foot.
        const hazed = mix(ridgeColour, palette.skyLow, haze * smooth((y - base) / (height * 0.2) + 0.35));
        colour = mix(colour, hazed, Math.min(1, below + 1));
      }
      pixels.set([Math.round(colour[0]), Math.round(colour[1]), Math.round(colour[2])], (y * width + x) * 3);
    }
  }
  return pixels;
}
