import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../../../src-main/sandbox/seeded-random.ts';
import { minReads, type LogNormal } from '../../../bench/tracker/least-reads.ts';

const runTimes: LogNormal = { medianMs: 3_500, sigma: 0.7 };

/** What reading every `everyMs` from `fromMs` on comes to, over many jobs. */
function polled(fromMs: number, everyMs: number): { reads: number; lateShare: number } {
  const random = createSeededRandom(5);
  const jobs = 20_000;
  let reads = 0;
  let late = 0;
  for (let job = 0; job < jobs; job += 1) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const ranMs = runTimes.medianMs * Math.exp(runTimes.sigma * normal);
    const later = Math.max(0, Math.ceil((ranMs - fromMs) / everyMs));
    reads += 1 + later;
    late += Number(fromMs + later * everyMs - ranMs > 1_500);
  }
  return { reads: reads / jobs, lateShare: late / jobs };
}

describe('the fewest reads of any polling', () => {
  it('is one if the run time is known', () => {
    expect(minReads({ medianMs: 3_500, sigma: 0.01 }, { withinMs: 1_500, lateShare: 0.05 })).toBeCloseTo(1, 1);
  });

  it.each([
    [1_000, 1_500],
    [1_500, 1_500],
    [2_500, 1_500],
    [2_500, 1_700],
    [3_000, 1_900],
  ])('is not beaten by reads from %i ms on, every %i ms', (fromMs, everyMs) => {
    const { reads, lateShare } = polled(fromMs, everyMs);
    expect(reads).toBeGreaterThan(minReads(runTimes, { withinMs: 1_500, lateShare }) - 0.05);
  });
});
