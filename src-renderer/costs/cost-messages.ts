import { mostCreditsPerHour, mostLimitCredits } from '../../src-preload/cost-bounds.ts';
import type { CostRate, CostSum, JobCost, RateSource, ViewCost } from '../../src-preload/cost.ts';
import { formatCount, formatCountOf, formatCredits, formatDay, formatMinute } from '../../src-preload/format.ts';

export { formatCredits };

/** `about 0.0123 credits so far`, or why there is no estimate. */
export function jobCostText(cost: JobCost): string {
  switch (cost.kind) {
    case 'no-rate':
      return 'no rate';
    case 'no-time':
      return 'no execution time yet';
    case 'estimate':
      return (
        `about ${formatCredits(cost.credits)} credits${cost.isRunning ? ' so far' : ''}` +
        (cost.isPartial ? ', at least' : '')
      );
  }
}

/** `1.89 credits per hour`. */
export function hourlyRateText(creditsPerHour: number | null): string {
  return creditsPerHour === null ? 'No rate' : `${formatCredits(creditsPerHour)} credits per hour`;
}

/** Where a rate comes from, and since when it is valid. */
export function rateOrigin(rate: Pick<CostRate, 'source' | 'sinceMs'>, nowMs: number): string {
  const since =
    rate.sinceMs === 0 ? 'for all jobs' : `since ${formatDay(rate.sinceMs, nowMs)}, ${formatMinute(rate.sinceMs)}`;
  return `${sourceText(rate.source, nowMs)}, ${since}`;
}

function sourceText(source: RateSource, nowMs: number): string {
  return source.kind === 'typed'
    ? 'Entered by hand'
    : `${source.field} of pod ${source.podId}, read ${formatDay(source.readAtMs, nowMs)}`;
}

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

/** An amount that was entered. An empty field is null; an invalid one has a problem to show. */
export type TypedCredits = { value: number | null } | { problem: string };

/** Reads an amount as people write it: `0.69`, `0,69`, `1 200`. It must be above 0 and at most `most`. Pure. */
function readCredits(text: string, most: number): TypedCredits {
  const trimmed = text.trim();
  if (trimmed === '') return { value: null };
  const compact = trimmed.replaceAll(/[\s_']/g, '');
  // If there is a point, commas separate thousands. A single comma that is not before three digits is a decimal comma.
  const plain = compact.includes('.')
    ? compact.replaceAll(',', '')
    : /^[+-]?\d*,\d{1,2}$|^[+-]?\d*,\d{4,}$/.test(compact)
      ? compact.replace(',', '.')
      : compact;
  if (/,\d{3}$/.test(plain)) return { problem: 'Use a decimal point, e.g. 0.69' };
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(plain)) return { problem: 'Enter a number, e.g. 0.69' };
  const value = Number(plain);
  if (value < 0) return { problem: 'It cannot be negative' };
  if (value === 0) return { problem: 'It must be more than 0; leave it empty for none' };
  if (!Number.isFinite(value) || value > most) return { problem: `At most ${formatCount(most)} credits` };
  return { value };
}

/** As `readCredits`, for a rate. */
export function readRate(text: string): TypedCredits {
  return readCredits(text, mostCreditsPerHour);
}

/** As `readCredits`, for a limit. */
export function readLimit(text: string): TypedCredits {
  return readCredits(text, mostLimitCredits);
}
