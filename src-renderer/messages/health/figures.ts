import {
  formatAge,
  formatCount,
  formatCountOf,
  formatClock,
  formatDay,
  formatMinute,
} from '../../../src-preload/format.ts';
import type { Health, HealthPoint } from '../../../src-preload/health.ts';
import { hourMs } from '../../../src-preload/durations.ts';

/** Within this distance the time of day alone is clear, even across midnight. */
const sameDayMs = 12 * hourMs;

/** A time as `14:32`, or as `18 Nov, 14:32` if it is on another day than `nowMs`. */
export function dayAndTime(atMs: number, nowMs: number): string {
  return withDay(formatMinute(atMs), atMs, nowMs);
}

/** As `dayAndTime`, with seconds. */
export function dayAndClock(atMs: number, nowMs: number): string {
  return withDay(formatClock(atMs), atMs, nowMs);
}

function withDay(time: string, atMs: number, nowMs: number): string {
  const day = formatDay(atMs, nowMs);
  return day === 'today' || Math.abs(nowMs - atMs) < sameDayMs ? time : `${day}, ${time}`;
}

/** `4.2`, `0.3`, `31`: a rate per minute, with as many digits as it is exact to. */
export function rateText(perMinute: number): string {
  if (perMinute === 0) return '0';
  if (perMinute >= 9.95) return Math.round(perMinute).toLocaleString('en-US');
  return perMinute < 0.05 ? '< 0.1' : perMinute.toFixed(1);
}

/** The large figures of one endpoint or of all. */
export const figureText = {
  inQueue: 'In queue',
  inProgress: 'In progress',
  workersRunning: 'Workers running',
  clearingTime: 'Clearing time',
  jobs: (count: number): string => (count === 1 ? 'job' : 'jobs'),
  workersSeen: (max: number): string => `peak ${formatCount(max)}`,
  oldestWait: 'Oldest wait',
  noneWaiting: 'none of your jobs waiting',
  job: (id: string): string => `job ${id.slice(0, 8)}`,
  /** After the job and a comma, if nothing is known of it since. */
  asOf: (ageMs: number): string => `as of ${formatAge(Math.max(1_000, ageMs))} ago`,
};

/** The totals of all endpoints. */
export const totalsText = {
  totals: 'Totals',
  waiting: (endpoints: number): string =>
    endpoints === 0 ? 'queue empty' : `on ${formatCountOf(endpoints, 'endpoint')}`,
  /** `tooOld`: endpoints that are left out because they were last read long before the others. */
  sampled: (count: number, endpoints: number, tooOld: number): string =>
    `${formatCount(count)} of ${formatCount(endpoints)} endpoints sampled` +
    (tooOld === 0 ? '' : `, ${formatCount(tooOld)} not read lately`),
  idle: (count: number): string => `${formatCount(count)} idle`,
  failed: 'Failed',
  thisHour: 'this hour',
  thisHourUnknown: 'this hour unknown',
  findings: 'Findings',
  endpoints: (count: number): string => (count === 1 ? 'endpoint' : 'endpoints'),
  seeBelow: 'see below',
};

/** "up from 3, 10 min ago". `before` is null if there was no reading ten minutes ago. */
export function queueNote(now: number, before: number | null): string {
  if (before === null) return now === 0 ? 'queue empty' : 'waiting for a worker';
  if (now === before) return now === 0 ? 'queue empty' : 'same as 10 min ago';
  return `${now > before ? 'up' : 'down'} from ${formatCount(before)}, 10 min ago`;
}

/** The note under the jobs in progress. */
export function progressNote({ inProgress, running }: HealthPoint): string {
  if (inProgress === 0) return running === 0 ? 'no busy worker' : 'none';
  if (inProgress === running) return running === 1 ? 'on one worker' : 'one per worker';
  return `on ${formatCountOf(running, 'running worker')}`;
}

/**
 * "0 idle", and every other count that the service reports, including those that the specification does not name
 * (ruling 27).
 */
export function workersNote(point: HealthPoint, health: Health | null): string {
  const reported = [
    ['idle', point.idle],
    ['starting', point.initializing],
    ['throttled', point.throttled],
    ['unhealthy', point.unhealthy],
    ...unnamedWorkers(health),
  ] as const;
  return reported
    .flatMap(([name, count], index) =>
      count === null || (index > 0 && count === 0) ? [] : [`${formatCount(count)} ${name}`],
    )
    .join(', ');
}

/** Worker counts that the specification does not name. They are in `extra` under `workers.name`. */
function unnamedWorkers(health: Health | null): [string, number][] {
  return Object.entries(health?.extra ?? {}).flatMap(([name, count]) =>
    name.startsWith('workers.') && typeof count === 'number' ? [[name.slice('workers.'.length), count]] : [],
  );
}

/** What the clearing time depends on, or why there is none. */
export const clearingText = {
  empty: 'the queue is empty',
  known: 'if nothing else arrives',
  'nothing-ended': 'unknown, no job ended in 10 min',
  'too-new': 'unknown until there is a minute of data',
};
