import type { AlertCondition } from '../../src-preload/alert.ts';
import { firedText } from '../messages/alerts.ts';
import { slowRunValidMs, type Facts } from './evaluate.ts';

/** What made a rule fire, with the current figures. Pure. */
export function whatFired(condition: AlertCondition, facts: Facts, nowMs: number): string {
  const newest = facts.readings.at(-1);
  const waiting = newest?.inQueue ?? 0;
  switch (condition.kind) {
    case 'stuck-queue':
      return firedText.stuckQueue(waiting, newest?.idle ?? 0, condition.forMs);
    case 'no-worker':
      return firedText.noWorker(waiting, condition.forMs);
    case 'failure-burst': {
      const own = facts.failures.filter(({ seenAtMs }) => seenAtMs > nowMs - condition.withinMs).length;
      return firedText.failureBurst(Math.max(own, risen(facts, nowMs - condition.withinMs)), condition.withinMs);
    }
    case 'slow-runs': {
      const slow = facts.longRuns.findLast(
        (run) => run.atMs > nowMs - slowRunValidMs && run.executionMs > condition.timesP95 * run.p95Ms,
      );
      return slow === undefined
        ? firedText.someSlowRun(condition.timesP95)
        : firedText.slowRun(slow.executionMs, slow.p95Ms, condition.timesP95);
    }
    case 'long-wait': {
      const waits = [...facts.queued.values()]
        .map(({ sinceMs }) => nowMs - sinceMs)
        .filter((ms) => ms >= condition.overMs);
      return firedText.longWait(waits.length, condition.overMs);
    }
  }
}

/** How much the counter of failures rose since then. A fall counts as a reset. */
function risen({ readings }: Facts, sinceMs: number): number {
  let sum = 0;
  for (let index = 1; index < readings.length; index += 1) {
    const before = readings[index - 1]?.failed;
    const after = readings[index];
    if (after !== undefined && after.atMs > sinceMs && after.failed !== null && before != null)
      sum += Math.max(0, after.failed - before);
  }
  return sum;
}
