import { formatCount, formatCountOf } from '../../../src-preload/format.ts';
import type { PodInclude } from '../../../src-preload/pod.ts';
import type { FieldText } from './fields.ts';

const priceFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 });

/** A price of the service in credits: two to four decimals, with thousands separators. */
export function formatPrice(credits: number): string {
  return priceFormat.format(credits);
}

const dayParts = {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;

/** `17 Nov, 10:08:14 UTC`, with the year if it is not the current one. A full minute has no seconds: `02:00 UTC`. */
export function formatUtc(atMs: number, nowMs = Date.now()): string {
  const isThisYear = new Date(atMs).getUTCFullYear() === new Date(nowMs).getUTCFullYear();
  const format = new Intl.DateTimeFormat('en-GB', {
    ...dayParts,
    ...(atMs % 60_000 !== 0 && { second: '2-digit' }),
    ...(!isThisYear && { year: 'numeric' }),
  });
  return `${format.format(atMs)} UTC`;
}

/** `80 GB, temporary`. A unit that is part of the label is not repeated. */
export function formatWithUnit(value: number, { label, unit, aside }: FieldText): string {
  const isInLabel = unit === label || unit === 'GPUs' || unit === 'CPUs' || unit === 'cores';
  const measured = unit === undefined || isInLabel ? formatCount(value) : `${formatCount(value)} ${unit}`;
  return aside === undefined ? measured : `${measured}, ${aside}`;
}

/** `3 items` of a list, or `2 fields` of an object. */
export function sizeText(value: unknown): string {
  if (Array.isArray(value)) return formatCountOf(value.length, 'item');
  return formatCountOf(typeof value === 'object' && value !== null ? Object.keys(value).length : 0, 'field');
}

/** The values of fields whose `booleanText` does not say more. */
export const yesNo = { yes: 'Yes', no: 'No' };

/** Shown instead of a value that the reply does not have. */
export const missingText = {
  notRequested: 'not requested',
  notInReply: 'not in the reply',
  /** The reply does not have the object that the field belongs to. */
  noParent: '–',
  none: 'none',
  empty: 'empty',
};

/** What the state of a field means, in its tooltip. */
export const missingNote = {
  noParent: 'The reply does not contain the parent of this field.',
  absent: 'The reply does not contain this field.',
  addedBy: (flag: PodInclude): string => `Not in the reply. ${flag} adds it.`,
  null: 'The reply has null: not applicable here, or not yet.',
  empty: (json: string): string => `The reply has ${json}.`,
  odd: 'Not in the format of the specification; shown as received.',
};
