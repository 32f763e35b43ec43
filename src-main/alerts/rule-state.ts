import type { AlertCondition } from '../../src-preload/alert.ts';
import type { Verdict } from './evaluate.ts';
import { readingValidMs } from '../../src-preload/alert.ts';

/** The state of one rule at one endpoint. */
export type RuleState =
  | { phase: 'quiet' }
  /** The condition is true, but not for long enough yet. */
  | { phase: 'pending'; sinceMs: number }
  | {
      phase: 'firing';
      sinceMs: number;
      firedAtMs: number;
      /** The last fact that showed it. */
      lastSeenAtMs: number;
      /** Since when the condition is false. The alert is over when that lasts long enough. */
      clearSinceMs: number | null;
    };

export type RuleStateNews = { kind: 'fired' } | { kind: 'ended'; endedAtMs: number; isEndExact: boolean };

export interface NextRuleState {
  ruleState: RuleState;
  news: RuleStateNews | null;
  /** When to evaluate again without a new fact, or null. */
  wakeAtMs: number | null;
}

const maxClearMs = 60_000;

/**
 * How long the condition must be false before an alert is over, so that brief interruptions do not make several alerts.
 * Events within a window expire slowly enough.
 */
export function clearAfterMs(condition: AlertCondition): number {
  switch (condition.kind) {
    case 'stuck-queue':
    case 'no-worker':
      return Math.min(condition.forMs / 4, maxClearMs);
    case 'long-wait':
      return Math.min(condition.overMs / 4, maxClearMs);
    case 'failure-burst':
    case 'slow-runs':
      return 0;
  }
}

/** The state after a verdict. Pure. A firing alert continues while nothing is known, because its end was not seen. */
export function nextRuleState(
  ruleState: RuleState,
  verdict: Verdict,
  condition: AlertCondition,
  nowMs: number,
): NextRuleState {
  if (ruleState.phase === 'firing') return nextWhileFiring(ruleState, verdict, condition, nowMs);
  if (verdict.isFiring) {
    return {
      ruleState: {
        phase: 'firing',
        sinceMs: verdict.sinceMs ?? nowMs,
        firedAtMs: nowMs,
        lastSeenAtMs: verdict.asOfMs ?? nowMs,
        clearSinceMs: null,
      },
      news: { kind: 'fired' },
      wakeAtMs: verdict.nextChangeAtMs,
    };
  }
  if (verdict.result === 'met' && verdict.sinceMs !== null)
    return { ruleState: { phase: 'pending', sinceMs: verdict.sinceMs }, news: null, wakeAtMs: verdict.nextChangeAtMs };
  return { ruleState: { phase: 'quiet' }, news: null, wakeAtMs: verdict.nextChangeAtMs };
}

function nextWhileFiring(
  ruleState: Extract<RuleState, { phase: 'firing' }>,
  verdict: Verdict,
  condition: AlertCondition,
  nowMs: number,
): NextRuleState {
  switch (verdict.result) {
    case 'met':
      return {
        ruleState: {
          ...ruleState,
          lastSeenAtMs: Math.max(ruleState.lastSeenAtMs, verdict.asOfMs ?? nowMs),
          clearSinceMs: null,
        },
        news: null,
        wakeAtMs: verdict.isFiring ? verdict.nextChangeAtMs : null,
      };
    case 'unknown':
      return { ruleState, news: null, wakeAtMs: verdict.nextChangeAtMs };
    case 'clear': {
      // Facts may be older than the alert, which cannot be over before it began.
      const clearSinceMs = ruleState.clearSinceMs ?? Math.max(verdict.sinceMs ?? nowMs, ruleState.firedAtMs);
      const overAtMs = clearSinceMs + clearAfterMs(condition);
      if (nowMs >= overAtMs) {
        return {
          ruleState: { phase: 'quiet' },
          news: {
            kind: 'ended',
            endedAtMs: clearSinceMs,
            isEndExact: isSlidingWindow(condition) || clearSinceMs - ruleState.lastSeenAtMs <= readingValidMs,
          },
          wakeAtMs: null,
        };
      }
      return {
        ruleState: { ...ruleState, clearSinceMs },
        news: null,
        wakeAtMs: Math.min(overAtMs, verdict.nextChangeAtMs ?? Infinity),
      };
    }
  }
}

/** Whether the alert ends with time alone, not by a fact that might have been missed. */
function isSlidingWindow({ kind }: AlertCondition): boolean {
  switch (kind) {
    case 'failure-burst':
    case 'slow-runs':
      return true;
    case 'stuck-queue':
    case 'no-worker':
    case 'long-wait':
      return false;
  }
}
