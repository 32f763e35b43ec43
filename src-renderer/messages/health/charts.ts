import { formatClock, formatCount, formatCountOf, formatMinute } from '../../../src-preload/format.ts';
import { dayAndClock, dayAndTime, rateText } from './figures.ts';

/** The values of the charts, in legends and as columns of the table. */
export const gaugeNames = {
  inProgress: 'In progress',
  queued: 'Queued',
  running: 'Running',
  idle: 'Idle',
  initializing: 'Starting',
  ready: 'Ready',
  throttled: 'Throttled',
  unhealthy: 'Unhealthy',
};

/** The service's counters. */
export const counterNames = { completed: 'Completed', failed: 'Failed', retried: 'Retried' };

/** The charts of jobs and workers. `span` is a range in a sentence: "the last hour". */
export const chartText = {
  title: 'Jobs and workers',
  jobs: 'Jobs',
  workers: 'Workers',
  showCharts: 'Show as charts',
  showTable: 'Show as table',
  over: (span: string): string => `Jobs and workers over ${span}`,
  lastIdleTaken: (atMs: number, nowMs: number): string => `${dayAndTime(atMs, nowMs)} last idle worker taken`,
  /** Where the charts begin, if the range is longer than what was read. */
  firstReading: (atMs: number, nowMs: number): string => `since the first reading, ${dayAndTime(atMs, nowMs)}`,
  noData: 'No data',
  /** The longer text is drawn into a gap where it has room. */
  gap: ['no data (Jobdeck closed or not watching)', 'no data'],
  /** Of a column that stands for several readings. */
  max: (name: string): string => `${name}, most`,
  /** "14:30:00: 9 queued, 5 in progress, 0 idle", for screen readers. Null for a time without readings. */
  values: (atMs: number, values: readonly { name: string; count: number }[] | null): string =>
    values === null
      ? `${formatClock(atMs)}: no data`
      : `${formatClock(atMs)}: ` +
        values.map(({ name, count }) => `${formatCount(count)} ${name.toLowerCase()}`).join(', '),
};

/** The same values as a table. */
export const valuesTableText = {
  values: 'Values',
  caption: (span: string): string => `Over ${span}, newest first. Completed, failed and retried since the row below.`,
  time: 'Time',
  gap: (fromMs: number, toMs: number, nowMs: number): string =>
    `No data from ${dayAndClock(fromMs, nowMs)} to ${dayAndClock(toMs, nowMs)}`,
  noData: 'No data for this time.',
};

/** How often jobs complete, fail and are retried. */
export const rateCardText = {
  /** "312 this hour", and for failures their share of what ended, from 0 to 1. */
  thisHour: (count: number, share: number | null): string =>
    `${formatCount(count)} this hour${share === null ? '' : `, ${(share * 100).toFixed(1)} %`}`,
  thisHourUnknown: 'this hour unknown',
  bar: (fromMs: number, toMs: number, nowMs: number, perMinute: number | null): string =>
    `${dayAndTime(fromMs, nowMs)} to ${formatMinute(toMs)}: ` +
    (perMinute === null ? 'no data' : `${rateText(perMinute)} per minute`),
  /** The bars in a sentence, for screen readers. `now` is null if it is not known. */
  bars: (name: string, span: string, now: number | null, max: number): string =>
    `${name} per minute over ${span}: ${now === null ? 'no data now' : `now ${rateText(now)}`}, ` +
    `at most ${rateText(max)}`,
};

/** How long saved jobs waited and ran. */
export const timingsText = {
  title: 'Delay and execution',
  failed: (why: string): string => `Could not read the times: ${why}`,
  none: (span: string): string => `No saved job completed in ${span}`,
  count: (count: number, span: string): string => `${formatCountOf(count, 'completed job')} saved here, ${span}`,
  caption: (span: string): string => `Delay and execution times of saved jobs, ${span}`,
  time: 'Time',
  delay: 'Delay',
  execution: 'Execution',
  notReported: 'not reported by the service',
};
