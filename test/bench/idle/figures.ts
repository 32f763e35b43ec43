import type { BenchResult } from '../run.ts';

/** The names of the figures, which the claims of `npm run verify:electron` ask for. */
export const idleFigure = {
  processor: (state: 'shown' | 'minimised') => `${state}: processor % of a core, main and its threads`,
  timers: (state: 'before' | 'shown' | 'minimised') => `${state}: timers of ours that fired`,
};

const notMeasured = 'not measured';

/** The part of a core that this much processor time is. Null times could not be read: not measured, never 0 %. */
export function processorShare(beforeMs: number | null, afterMs: number | null, seconds: number): number | string {
  if (beforeMs === null || afterMs === null) return notMeasured;
  return Number(((afterMs - beforeMs) / 10 / seconds).toFixed(2));
}

/** How many timers fired and where they were set. Null: they were not recorded. */
export function firedTimers(state: 'before' | 'shown' | 'minimised', fired: readonly string[] | null): BenchResult {
  return {
    [idleFigure.timers(state)]: fired?.length ?? 'not counted',
    ...(state !== 'before' &&
      fired !== null &&
      fired.length > 0 && { [`${state}: set at`]: [...new Set(fired)].join(', ') }),
  };
}
