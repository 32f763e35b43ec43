import { defaultAlertConditions, maxAlertRules, type AlertRule, type AlertRuleDraft } from '../../src-preload/alert.ts';
import { alertRule } from '../../src-preload/alert-schema.ts';
import { z } from 'zod';
import { failed, ok, type Result, type LocalFailure } from '../../src-preload/failure.ts';
import { byName, type DocumentKind, openCollection, type Documents } from '../history/collection.ts';
import { errorText } from '../async/error-text.ts';
import type { Log } from '../log.ts';
import { alertRuleText } from '../messages/alerts.ts';

/** The rules of a new connection. They apply to all endpoints, so that later ones have them too. */
export function defaultRules(connectionId: string): AlertRule[] {
  return defaultAlertConditions.map(({ condition, isOn }) => ({
    id: `${connectionId}:${condition.kind}`,
    connectionId,
    endpointId: null,
    isOn,
    exceptions: {},
    condition,
  }));
}

/** The rules of each connection, by its id. Invalid rules are left out. */
export const ruleKind: DocumentKind<AlertRule[], string> = {
  kind: 'alert-rules',
  schema: z.array(z.unknown()).transform((kept) => kept.flatMap((rule) => alertRule.safeParse(rule).data ?? [])),
  id: byName,
};

/** The rules after a draft was added or changed. The endpoints of a changed rule stay as they were. */
export function withDraft(
  rules: readonly AlertRule[],
  draft: AlertRuleDraft,
  newId: () => string,
): Result<AlertRule[]> {
  const { id, connectionId, endpointId, condition } = draft;
  if (id === undefined) {
    if (rules.length >= maxAlertRules) return failed(tooMany);
    return ok([...rules, { id: newId(), connectionId, endpointId, isOn: true, exceptions: {}, condition }]);
  }
  const known = rules.find((rule) => rule.id === id);
  if (known === undefined) return failed(noSuchRule);
  return ok(rules.map((rule) => (rule === known ? { ...rule, condition } : rule)));
}

/** The rules without one. */
export function withoutRule(rules: readonly AlertRule[], ruleId: string): Result<AlertRule[]> {
  return rules.some(({ id }) => id === ruleId) ? ok(rules.filter(({ id }) => id !== ruleId)) : failed(noSuchRule);
}

/** The rules with a deleted one restored at its place, counted from 0. Unchanged if it exists. */
export function withRestored(rules: readonly AlertRule[], rule: AlertRule, place: number): Result<AlertRule[]> {
  if (rules.some(({ id }) => id === rule.id)) return ok([...rules]);
  if (rules.length >= maxAlertRules) return failed(tooMany);
  return ok(rules.toSpliced(Math.min(place, rules.length), 0, rule));
}

/** The rules with one switched on or off: at one endpoint or, with null, at all of its endpoints. */
export function withSwitch(
  rules: readonly AlertRule[],
  ruleId: string,
  endpointId: string | null,
  isOn: boolean,
): Result<AlertRule[]> {
  if (!rules.some(({ id }) => id === ruleId)) return failed(noSuchRule);
  return ok(
    rules.map((rule) => {
      if (rule.id !== ruleId) return rule;
      if (rule.endpointId !== null || endpointId === null) return { ...rule, isOn, exceptions: {} };
      const { [endpointId]: _former, ...others } = rule.exceptions;
      return { ...rule, exceptions: isOn === rule.isOn ? others : { ...others, [endpointId]: isOn } };
    }),
  );
}

/** The longest time back that a rule needs. */
export function windowMs({ condition }: AlertRule): number {
  switch (condition.kind) {
    case 'stuck-queue':
    case 'no-worker':
      return condition.forMs;
    case 'failure-burst':
      return condition.withinMs;
    case 'slow-runs':
    case 'long-wait':
      return 0;
  }
}

const tooMany = { kind: 'refused', message: alertRuleText.tooMany } as const;
const noSuchRule = { kind: 'absent', message: alertRuleText.noRule } as const;

/** The rules of each connection, as one document. */
export interface RuleDocuments {
  /** The defaults if none are saved or they cannot be read. Rejects if the history does. */
  read(connectionId: string): Promise<AlertRule[]>;
  put(connectionId: string, rules: readonly AlertRule[]): Promise<Result<null, LocalFailure>>;
  /** A failure is logged only. */
  remove(connectionId: string): Promise<void>;
}

/** Reads and writes the rules of a connection in the history. */
export function createRuleDocuments(documents: Documents, log: Log): RuleDocuments {
  const rulesOf = openCollection(documents, ruleKind);
  return {
    async read(connectionId) {
      const kept = await rulesOf.find(connectionId);
      if (kept !== null && kept.value === null)
        log.warn('The alert rules of a connection cannot be read; the defaults stand in', { connectionId });
      return kept?.value ?? defaultRules(connectionId);
    },
    async put(connectionId, rules) {
      try {
        await rulesOf.put(connectionId, [...rules]);
        return ok(null);
      } catch (error) {
        return failed({
          kind: 'storage',
          message: alertRuleText.couldNotSave,
          detail: errorText(error),
        });
      }
    },
    async remove(connectionId) {
      await rulesOf
        .remove(connectionId)
        .catch((error: unknown) =>
          log.error('the alert rules of a removed connection could not be forgotten', { error }),
        );
    },
  };
}
