import type { CostRate, JobCost, RateSource } from '../../../src-preload/cost.ts';
import { formatCount, formatCredits, formatDay, formatMinute } from '../../../src-preload/format.ts';

/** The card with the costs of an endpoint. */
export const costCardText = {
  title: 'Costs',
  setRate: 'Set a rate',
  noRate: 'Set a price per worker-hour to see estimated costs.',
  today: 'Today',
  days7: '7 days',
  days30: '30 days',
  medianJob: 'Median job',
  noData: 'no data yet',
  about: (credits: number): string => `about ${formatCredits(credits)}`,
  /** Read aloud after the sum of a day. */
  overLimit: ', over the limit for a day',
  estimated: 'Credits, estimated from execution times.',
  notCounted: (jobs: string): string => `Not counted in 30 days: ${jobs}.`,
  warnPerJob: (credits: number): string => `Warn above ${formatCredits(credits)} a job.`,
  warnPerDay: (credits: number): string => `Warn above ${formatCredits(credits)} a day. Jobs are not stopped.`,
};

/** The form for an endpoint's rate and limits. */
export const rateFormText = {
  rate: 'Credits per hour and worker',
  rateHint: 'Empty for no rate',
  noRate: 'none',
  priceEarlier: 'Also price jobs that ended before',
  warnPerJob: 'Warn above, per job',
  warnPerDay: 'Warn above, per day',
  never: 'never',
  save: 'Save',
};

/** What is wrong with an entered amount. */
export const creditsProblemText = {
  decimalPoint: 'Use a decimal point, e.g. 0.69',
  notNumber: 'Enter a number, e.g. 0.69',
  negative: 'Enter 0 or more',
  zero: 'It must be more than 0; leave it empty for none',
  tooMuch: (max: number): string => `At most ${formatCount(max)} credits`,
};

/** What a job costs, in its pane. */
export const jobCostTitles = {
  cost: 'Cost',
  estimate: 'Estimate',
  overLimit: 'over the limit for a job',
  /** A job of an endpoint without a rate leads to its form. */
  setRate: 'Set a rate',
  setRateHint: 'Opens the costs of its endpoint under Health',
  rate: 'Rate',
  limit: 'Limit for a job',
  credits: (credits: number): string => `${formatCredits(credits)} credits`,
};

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
