import { isAlertOn, readingValidMs, type AlertRule, type AlertRuleState } from '../../src-preload/alert.ts';
import { ruleStateText } from '../messages/alerts.ts';

/** A rule's state, as its row shows it. */
export interface RuleState {
  tone: 'firing' | 'pending' | 'calm';
  text: string;
  /** The tooltip: the whole meaning of the short state. */
  meaning: string;
}

/**
 * A rule's state at one endpoint. With null: the worst state at any of its endpoints. A state that rests on an old
 * health reading is shown with the time of that reading, `readAtMs` (null if not known).
 */
export function ruleState(
  rule: AlertRule,
  ruleStates: readonly AlertRuleState[],
  endpointId: string | null,
  { nowMs, readAtMs }: { nowMs: number; readAtMs: number | null },
): RuleState {
  const here = ruleStates.filter(
    (one) => one.ruleId === rule.id && (endpointId === null || one.endpointId === endpointId),
  );
  const firing = here.filter(({ phase }) => phase === 'firing');
  if (firing.length > 0) {
    const isByHealth = rule.condition.kind === 'stuck-queue' || rule.condition.kind === 'no-worker';
    const state =
      isByHealth && readAtMs !== null && nowMs - readAtMs > readingValidMs
        ? ruleStateText.asOf(readAtMs, nowMs)
        : ruleStateText.firing(nowMs - earliest(firing, nowMs), firing.length);
    return { tone: 'firing', ...state };
  }
  if (!isRuleOn(rule, endpointId)) return { tone: 'calm', ...(rule.isOn ? ruleStateText.offHere : ruleStateText.off) };
  const pending = here.filter(({ phase }) => phase === 'pending');
  if (pending.length > 0) return { tone: 'pending', ...ruleStateText.pending(nowMs - earliest(pending, nowMs)) };
  const lastMs = Math.max(...here.map((one) => one.lastFiredAtMs ?? -Infinity));
  return { tone: 'calm', ...(lastMs === -Infinity ? ruleStateText.quiet : ruleStateText.lastFired(lastMs, nowMs)) };
}

function earliest(ruleStates: readonly AlertRuleState[], nowMs: number): number {
  return Math.min(...ruleStates.map((one) => one.sinceMs ?? nowMs));
}

/** Whether a rule applies to the endpoint, or, with null, to any. */
export function isRuleOn(rule: AlertRule, endpointId: string | null): boolean {
  return endpointId === null ? rule.isOn : isAlertOn(rule, endpointId);
}
