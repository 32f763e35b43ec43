import type { CostSum, ViewCost } from '../../../src-preload/cost.ts';
import { formatCount, formatCountOf, formatCredits } from '../../../src-preload/format.ts';

/** The cost of a list's jobs, in the status bar. */
export const listCostText = {
  title: 'Cost of this list',
  titleOf: (cost: string): string => `Cost of this list: ${cost}`,
  notKnown: 'not known',
  notKnownBecause: (problem: string): string => `Cost of this list: not known. ${problem}`,
  hint: 'Execution time of the jobs in this list by the rate of their endpoints. An estimate.',
  notCounted: (jobs: string): string => `Not counted: ${jobs}.`,
};

/** `about 3.42 credits, 1,203 jobs`. Null if none of the jobs has a price. */
export function viewCostText(cost: ViewCost): string | null {
  if (cost.pricedJobs === 0 && cost.credits === 0) return null;
  return (
    `about ${formatCredits(cost.credits)} credits, ${formatCountOf(cost.pricedJobs, 'job')}` +
    (cost.newestOnly === null ? '' : ` of the newest ${formatCount(cost.newestOnly)}`)
  );
}

/** What a sum leaves out. Empty if nothing is left out. */
export function unpricedText(sum: CostSum): string {
  return sum.unpricedJobs === 0 ? '' : `${formatCountOf(sum.unpricedJobs, 'job')} without a rate or an execution time`;
}
