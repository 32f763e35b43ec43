import { dayMs, minuteMs } from '../../src-preload/durations.ts';
import type { ClockDoubt } from '../../src-preload/storage.ts';

/** A span of this computer's clock, both ends included, in epoch milliseconds. */
export interface TimeSpan {
  fromMs: number;
  toMs: number;
}

/** A span of readings that were doubted. What ended in it may be younger than it seems. */
export interface DoubtedSpan extends TimeSpan {
  /** When the clock was confirmed: what seems to have ended in the span had ended by then. Null: not yet known. */
  endedByMs: number | null;
}

/**
 * What is known of this computer's clock, over several runs. A clock jumps when its battery is flat, when a virtual
 * machine was paused, or when somebody sets it (docs/decisions/088).
 */
export interface ClockRecord {
  /** The latest time that was believed: a service's, the user's, or that of a clock that went on as clocks do. */
  knownMs: number | null;
  /** From this reading on the clock is ahead of a service's. Null: not as far as known. */
  aheadFromMs: number | null;
  /** The last reading that a service or the user confirmed. */
  confirmedMs: number | null;
  /** The host of the service that confirmed it. Null: the user. */
  confirmedBy: string | null;
  /** When the clock was doubted, oldest first, without overlaps. */
  doubted: DoubtedSpan[];
}

/** The record before the clock was ever read. */
export const newClockRecord: ClockRecord = {
  knownMs: null,
  aheadFromMs: null,
  confirmedMs: null,
  confirmedBy: null,
  doubted: [],
};

/** A clock within a day of the truth is right: a wrong time zone or a slow clock deletes nothing too early by more. */
const toleranceMs = dayMs;
/** The longest absence after which the clock is believed without a service, whatever the rule. */
const maxAbsenceMs = 45 * dayMs;
/** The shortest absence after which it is doubted: a long weekend. */
const minAbsenceMs = 4 * dayMs;
/** The end that an answer reports is stamped a moment after the clock was read for that answer. */
const stampedWithinMs = minuteMs;
/** More spans than this are joined, so that the record stays small. */
const maxSpans = 20;

/**
 * How far the clock may be ahead of the last known time and still be believed without a service, in milliseconds: half
 * of what a rule of `afterDays` keeps, so that one jump never deletes what is younger than the other half.
 */
export function believedGapMs(afterDays: number | null): number {
  return Math.min(maxAbsenceMs, Math.max(minAbsenceMs, ((afterDays ?? Infinity) * dayMs) / 2));
}

/** Why this reading of the clock is not believed, or null. Pure. `gapMs` as from `believedGapMs`. */
export function doubtOf({ knownMs, aheadFromMs }: ClockRecord, nowMs: number, gapMs: number): ClockDoubt | null {
  if (knownMs === null) return null;
  if (aheadFromMs !== null && nowMs >= aheadFromMs) return { kind: 'ahead-of-service', byMs: nowMs - knownMs, nowMs };
  if (nowMs > knownMs + gapMs) return { kind: 'moved-ahead', byMs: nowMs - knownMs, nowMs };
  if (nowMs < knownMs - toleranceMs) return { kind: 'behind', byMs: knownMs - nowMs, nowMs };
  return null;
}

/** What the clock says, and what it said at the reading before in this run, or when the run began. */
export interface Reading {
  sinceMs: number;
  nowMs: number;
}

/** The record after the clock was read. */
export function noteReading(record: ClockRecord, reading: Reading, gapMs: number): ClockRecord {
  const { nowMs } = reading;
  const doubt = doubtOf(record, nowMs, gapMs);
  if (doubt === null) return { ...record, knownMs: Math.max(record.knownMs ?? nowMs, nowMs), aheadFromMs: null };
  return doubt.kind === 'ahead-of-service' ? record : withDoubted(record, fromMsOf(reading), nowMs);
}

/** A service's own date, in epoch milliseconds, as an answer of it said. */
export interface ServiceDate {
  host: string;
  dateMs: number;
}

/**
 * The record after a service answered with its own date. One that agrees within a day confirms the clock; one that
 * does not is believed instead, unless another service confirmed the clock within the last day.
 */
export function noteServiceDate(
  record: ClockRecord,
  reading: Reading,
  { host, dateMs }: ServiceDate,
  gapMs: number,
): ClockRecord {
  const { nowMs } = reading;
  const { knownMs, confirmedMs, confirmedBy } = record;
  // If much time has passed since the last known one, that may have been behind, ever since it was last confirmed.
  const mayHaveBeenBehind = knownMs !== null && dateMs > knownMs + gapMs;
  const former = mayHaveBeenBehind ? withDoubted(unbounded(record), unconfirmedFromMs(record), knownMs) : record;
  if (Math.abs(dateMs - nowMs) <= toleranceMs) {
    return confirmed(former, nowMs, host);
  }
  const isJustConfirmed = confirmedMs !== null && confirmedMs <= nowMs && nowMs - confirmedMs <= toleranceMs;
  if (isJustConfirmed && confirmedBy !== host) return record;
  const believed = { ...unbounded(former), knownMs: dateMs };
  if (dateMs < nowMs) return { ...believed, aheadFromMs: Math.min(record.aheadFromMs ?? nowMs, nowMs) };
  const isSinceConfirmed = confirmedMs === null || confirmedMs <= nowMs;
  return withDoubted(believed, isSinceConfirmed ? unconfirmedFromMs(record) : fromMsOf(reading), nowMs);
}

/** The record after the user confirmed the date of this computer. */
export function noteUser(record: ClockRecord, nowMs: number): ClockRecord {
  return confirmed(record, nowMs, null);
}

function confirmed({ doubted }: ClockRecord, nowMs: number, confirmedBy: string | null): ClockRecord {
  // What was doubted until now was right. A clock that was behind has been set since, so it is not meant.
  const stillDoubted = doubted.filter(({ fromMs, toMs }) => fromMs > nowMs || toMs < nowMs - toleranceMs);
  const bounded = stillDoubted.map((span) => ({ ...span, endedByMs: span.endedByMs ?? nowMs + toleranceMs }));
  return { knownMs: nowMs, aheadFromMs: null, confirmedMs: nowMs, confirmedBy, doubted: bounded };
}

/** The record when the clock turns out to have been wrong: an earlier confirmation may have been wrong as well. */
function unbounded(record: ClockRecord): ClockRecord {
  return { ...record, doubted: record.doubted.map((span) => ({ ...span, endedByMs: null })) };
}

/**
 * The spans whose outputs a rule spares that deletes what ended before `tooOldMs` (null: the rule has no age). Those of
 * the other spans had all ended before that, so each is judged by its own time. Pure.
 */
export function sparedSpans(doubted: readonly DoubtedSpan[], tooOldMs: number | null): DoubtedSpan[] {
  return doubted.filter(({ endedByMs }) => endedByMs === null || tooOldMs === null || endedByMs >= tooOldMs);
}

function unconfirmedFromMs({ confirmedMs }: ClockRecord): number {
  return confirmedMs === null ? 0 : confirmedMs + stampedWithinMs;
}

/** A clock that jumps from one reading to the next was behind at each of them, and not between. */
function fromMsOf({ sinceMs, nowMs }: Reading): number {
  return nowMs - sinceMs > toleranceMs ? nowMs : sinceMs;
}

function withDoubted(record: ClockRecord, fromMs: number, lastReadingMs: number): ClockRecord {
  const added: DoubtedSpan = { fromMs, toMs: lastReadingMs + stampedWithinMs, endedByMs: null };
  if (added.fromMs > added.toMs) return record;
  const joined: DoubtedSpan[] = [];
  for (const span of [...record.doubted, added].toSorted((one, other) => one.fromMs - other.fromMs)) {
    const last = joined.at(-1);
    if (last !== undefined && span.fromMs <= last.toMs) joined[joined.length - 1] = united(last, span);
    else joined.push(span);
  }
  const [first, second, ...others] = joined;
  if (joined.length <= maxSpans || first === undefined || second === undefined) return { ...record, doubted: joined };
  return { ...record, doubted: [united(first, second), ...others] };
}

/** One span over both. `one` begins first. */
function united(one: DoubtedSpan, other: DoubtedSpan): DoubtedSpan {
  const [oneByMs, otherByMs] = [one.endedByMs, other.endedByMs];
  const endedByMs = oneByMs === null || otherByMs === null ? null : Math.max(oneByMs, otherByMs);
  return { fromMs: one.fromMs, toMs: Math.max(one.toMs, other.toMs), endedByMs };
}
