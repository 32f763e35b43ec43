import { expect } from 'vitest';
import type { TestContext } from 'vitest';
import type { FaultRule } from '../../../../src-main/sandbox/faults/faults.ts';
import type { Dialect } from '../../../../src-main/sandbox/specification.ts';
import { packBag } from './bag.ts';
import { playBag } from './play-bag.ts';
import { judgeBag } from './verdict.ts';
import type { BagFigures } from './verdict.ts';

/**
 * Plays a bag of jobs under these faults. Expects that the history is true for each job and has everything that could
 * be read.
 */
export async function expectTruth(
  { rules, dialect, seed }: { rules: readonly FaultRule[]; dialect: Dialect; seed: number },
  annotate: TestContext['annotate'],
): Promise<BagFigures> {
  const bag = packBag(seed);
  const played = await playBag(bag, {
    seed,
    dialect,
    faults: rules,
    hasWebhooks: rules.some(({ kind }) => kind === 'drop-webhook'),
  });
  try {
    const { figures, complaints } = await judgeBag(bag, played);
    await annotate(JSON.stringify(figures), 'figures');
    expect(complaints).toEqual([]);
    // Otherwise there would be nothing to check.
    expect(figures.finished).toBeGreaterThan(10);
    return figures;
  } finally {
    await played.scene.close();
  }
}
