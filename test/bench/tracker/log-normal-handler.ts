import { setTimeout as sleep } from 'node:timers/promises';
import { createSeededRandom, seedFromText } from '../../../src-main/sandbox/seeded-random.ts';
import type { Job } from '../../../src-main/sandbox/workers/handlers/job.ts';

/** Half of the jobs run no longer than this, one in a hundred five times as long. */
export const unpredictableRunTimes = { medianMs: 3_500, sigma: 0.7 };
/**
 * Like an image whose every step takes time: two thirds of the jobs run between a quarter shorter and a third longer.
 */
const msEachStep = 100;
const sigmaOfSteps = 0.3;
const seed = 'log-normal 11';

/**
 * Runs for a log-normal time of its own, which is the same for the same `row` in every run of the bench. Nothing in the
 * input reveals that time, except `steps` if present: it predicts the median.
 */
export async function handler({ input, signal }: Job): Promise<unknown> {
  const random = createSeededRandom(seedFromText(`${seed} ${String(input['row'])}`));
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const { steps } = input;
  const { medianMs, sigma } =
    typeof steps === 'number' ? { medianMs: steps * msEachStep, sigma: sigmaOfSteps } : unpredictableRunTimes;
  await sleep(medianMs * Math.exp(sigma * normal), undefined, { signal });
  return { row: input['row'] };
}
