import type { Need } from './proofs.ts';
import type { Verdict } from './report.ts';

/** What a bench printed. */
export type Figures = Record<string, number | string>;

/**
 * Whether figures prove a claim: all it needs were measured on Electron, over as much as it says, within its limits.
 * A figure over its limit has failed, which outweighs one that is missing.
 */
export function verdictOfFigures(needs: readonly Need[], figures: Figures): Verdict {
  const on = figures['measured on'];
  if (on !== 'electron') return { state: 'unproved', detail: `measured on: ${String(on ?? 'unknown')}` };
  const found = needs.map((need) => ({ ...need, value: figures[need.figure] }));
  const over = found.flatMap(({ figure, value, under }) =>
    typeof value === 'number' && under !== undefined && value >= under
      ? [`${figure} is ${value}, and must be under ${under}`]
      : [],
  );
  const lacking = found.flatMap(({ figure, value, atLeast }) => {
    if (typeof value !== 'number') return [`${figure}: ${value ?? 'not measured'}`];
    return atLeast !== undefined && value < atLeast ? [`${figure}: ${value}, not ${atLeast}`] : [];
  });
  const reported = Object.entries(figures)
    .filter(([name]) => name !== 'measured on')
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
  if (over.length > 0) return { state: 'failed', detail: `${over.join(', ')}. ${reported}` };
  return lacking.length > 0
    ? { state: 'unproved', detail: `lacks ${lacking.join(', ')}. ${reported}` }
    : { state: 'proved', detail: reported };
}
