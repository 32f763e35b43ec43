import type { AlertCondition, AlertKind } from '../alert.ts';
import { formatCount, formatTimes } from '../format.ts';

/** The name of each kind of rule. */
export const alertNames: Readonly<Record<AlertKind, string>> = {
  'stuck-queue': 'Stuck queue',
  'failure-burst': 'Failure burst',
  'slow-runs': 'Slow runs',
  'no-worker': 'Scaled to zero',
  'long-wait': 'Long wait',
};

/** A rule's condition in a few words: `over 5 waiting, none idle, 2 min`. */
export function conditionText(condition: AlertCondition): string {
  switch (condition.kind) {
    case 'stuck-queue':
      return (
        `over ${formatCount(condition.overJobs)} waiting${condition.isNoneIdle ? ', none idle' : ''}, ` +
        alertSpan(condition.forMs)
      );
    case 'failure-burst':
      return `more than ${formatCount(condition.overFailures)} failed in ${alertSpan(condition.withinMs)}`;
    case 'slow-runs':
      return `execution over ${formatTimes(condition.timesP95)} the p95`;
    case 'no-worker':
      return `no worker while jobs wait for ${alertSpan(condition.forMs)}`;
    case 'long-wait':
      return `a job waits longer than ${alertSpan(condition.overMs)}`;
  }
}

/** A duration of a rule, exact and in as few units as possible: `90 s`, `2 min`, `1 h 30 min`. */
export function alertSpan(ms: number): string {
  const seconds = Math.round(ms / 100) / 10;
  if (seconds < 60 || (seconds < 120 && seconds % 60 !== 0)) return `${seconds} s`;
  const units: readonly (readonly [string, number])[] = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ];
  const parts: string[] = [];
  let rest = seconds;
  for (const [unit, size] of units) {
    const count = unit === 's' ? Math.round(rest * 10) / 10 : Math.floor(rest / size);
    if (count > 0) parts.push(`${count} ${unit}`);
    rest -= count * size;
  }
  return parts.join(' ');
}
