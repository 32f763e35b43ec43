import type { UseQueryResult } from '@tanstack/react-query';
import type { AlertOverview, AlertRule, AlertRuleDraft, AlertRuleState } from '../../src-preload/alert.ts';
import { call } from '../bridge.ts';
import type { Failure, Result } from '../../src-preload/failure.ts';
import { keptAnswer, useCall } from '../data/calls.ts';
import { useCurrentConnection } from '../data/session-store.ts';

/** A connection's rules and their states. */
export function useAlerts(connectionId: string | null): UseQueryResult<AlertOverview, Failure> {
  return useCall('alert:list', connectionId === null ? null : { connectionId }, { isKeptByEvents: true });
}

/** How many rules fire on the current connection. */
export function useFiringCount(): number {
  return useFiring(useCurrentConnection()?.id ?? null).length;
}

/** How many rules fire at one endpoint. */
export function useFiringAt(connectionId: string, endpointId: string): number {
  return useFiring(connectionId).filter((ruleState) => ruleState.endpointId === endpointId).length;
}

/** The rules of a connection that fire, once for each endpoint where they do. */
export function useFiring(connectionId: string | null): AlertRuleState[] {
  const { data } = useAlerts(connectionId);
  return data?.ruleStates.filter(({ phase }) => phase === 'firing') ?? [];
}

/** Why a change failed, or null. What it changed comes as an event before the answer. */
async function changed(answer: Promise<Result<AlertOverview>>): Promise<Failure | null> {
  const result = await answer;
  return result.ok ? null : result.failure;
}

/** Creates or changes a rule. Returns why it could not be saved, or null. */
export function saveRule(draft: AlertRuleDraft): Promise<Failure | null> {
  return changed(call('alert:saveRule', draft));
}

/** Deletes a rule. `restoreRule` brings it back. */
export function removeRule(connectionId: string, ruleId: string): Promise<Failure | null> {
  return changed(call('alert:removeRule', { connectionId, ruleId }));
}

/** Restores a deleted rule at its former place in the list, counted from 0. */
export function restoreRule(rule: AlertRule, place: number): Promise<Failure | null> {
  return changed(call('alert:restoreRule', { connectionId: rule.connectionId, rule, place }));
}

/** A rule's place in its connection's list, counted from 0. Unknown rules go to the end. */
export function placeOfRule({ connectionId, id }: AlertRule): number {
  const rules = keptAnswer('alert:list', { connectionId })?.rules ?? [];
  const place = rules.findIndex((rule) => rule.id === id);
  return place === -1 ? rules.length : place;
}

/** Switches a rule on or off at one endpoint, or, with null, at all of its endpoints. */
export function setRuleOn(
  connectionId: string,
  ruleId: string,
  endpointId: string | null,
  isOn: boolean,
): Promise<Failure | null> {
  return changed(call('alert:setOn', { connectionId, ruleId, endpointId, isOn }));
}
