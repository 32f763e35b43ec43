import { hourMs, minuteMs, dayMs } from '../../../src-preload/durations.ts';
import { formatCountOf, formatDay } from '../../../src-preload/format.ts';
import { creditsPerHour } from './fields.ts';
import { ofReading } from './status.ts';
import { formatPrice } from './values.ts';

/** Why it is not known what a pod has cost since its last start. */
export type UnknownCost = 'no-price' | 'no-start' | 'unreadable-start' | 'not-running' | 'future-start';

const unknownCosts: Readonly<Record<UnknownCost, string>> = {
  'no-price': 'the reply has no price',
  'no-start': 'the reply has no start time',
  'unreadable-start': 'the start time cannot be read',
  'not-running': 'it is not running, and when it stopped is not reported',
  'future-start': 'by this computer’s clock it starts in the future',
};

const sinceFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** `3 d 4 h`, `47 min`: two units at most, because the price is no more exact. */
function elapsed(ms: number): string {
  const minutes = Math.floor(ms / minuteMs);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** What the pod costs per hour, and has cost since its last start. */
export const costText = {
  title: 'Cost',
  notReported: 'Cost not reported',
  creditsPerHour,
  aboveList: 'Above the list price',
  savedByPlans: (plans: number | null): string =>
    plans === null || plans === 0 ? 'Saved by savings plans' : `Saved by ${formatCountOf(plans, 'savings plan')}`,
  /** `1.62, 25 %`. Without a list price there is no share of it. */
  saved: (credits: number, listPerHr: number | null): string =>
    listPerHr !== null && listPerHr > 0
      ? `${formatPrice(credits)}, ${Math.round((credits / listPerHr) * 100)} %`
      : formatPrice(credits),
  sinceStart: 'Since last start',
  /** `Since last start, 10 h 4 min, as of 3 h ago`: up to the reading, because what the pod did then is not known. */
  sinceStartFor: (elapsedMs: number, ageMs: number): string =>
    `Since last start, ${elapsed(elapsedMs)}${ofReading(ageMs)}`,
  sum: (credits: number): string => sinceFormat.format(credits),
  credits: 'credits',
  unknown: (reason: UnknownCost): string => `unknown: ${unknownCosts[reason]}`,
};

/** The price of the pod as the rate of an endpoint's workers. */
export const costRateText = {
  use: 'Use as rate for an endpoint',
  itsEndpoint: 'its endpoint',
  saved: (endpoint: string, credits: number): string =>
    `${endpoint} now costs ${formatPrice(credits)} credits per hour and worker`,
};

/** In days from two days on, otherwise in hours. */
function daysOf(ms: number): string {
  return ms >= 2 * dayMs
    ? formatCountOf(Math.round(ms / dayMs), 'day')
    : formatCountOf(Math.floor(ms / hourMs), 'hour');
}

export const savingsText = {
  title: 'Savings plans',
  active: (count: number): string => `${count} active`,
  plan: (id: string): string => `Savings plan ${id}`,
  creditsPerHour,
  usedPart: 'Used part of the plan',
  began: (atMs: number, nowMs: number): string => `Began ${formatDay(atMs, nowMs)}`,
  /** A start that cannot be read, as it came. */
  from: (text: string): string => `From ${text}`,
  over: 'over',
  /** As of the reading, as the cost is. */
  usedAndLeft: (usedMs: number, leftMs: number, ageMs: number): string =>
    `${daysOf(usedMs)} used, ${daysOf(leftMs)} left${ofReading(ageMs)}`,
  /** An end that cannot be read, as it came. */
  until: (text: string): string => `Until ${text}`,
  /**
   * `Ends 24 Nov, then 6.48`: what the pod costs after the plan, if that is known. A plan whose end passed after it was
   * read may have been prolonged.
   */
  ends: (atMs: number, nowMs: number, isOver: boolean, thenPerHr: number | null): string =>
    `${isOver ? 'Ended' : nowMs >= atMs ? 'Was to end' : 'Ends'} ${formatDay(atMs, nowMs)}` +
    (thenPerHr === null ? '' : `, then ${formatPrice(thenPerHr)}`),
  id: 'Plan',
  forPod: 'for pod',
};
