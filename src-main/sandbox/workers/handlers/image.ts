import { createSeededRandom, seedFromText } from '../../seeded-random.ts';
import { numberInput } from './input.ts';
import type { HandlerContext, Job } from './job.ts';
import { paintLandscape } from './landscape.ts';
import { encodePng } from './png.ts';
import { sleep } from './sleep.ts';

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
