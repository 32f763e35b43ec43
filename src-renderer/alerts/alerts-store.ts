import { useEffect } from 'react';
import { create } from 'zustand';
import type { AlertOverview, AlertRule, AlertRuleDraft, AlertStanding } from '../../src-preload/alert.ts';
import { call, on } from '../bridge.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { currentConnection, useSession } from '../data/session-store.ts';

/** What is known of one connection's alerts. */
type Known = { kind: 'ready'; overview: AlertOverview } | { kind: 'failed'; failure: Failure };

interface AlertsState {
  /** By connection id; a connection not asked for yet has none. */
  byConnection: Record<string, Known>;
}

const useAlerts = create<AlertsState>(() => ({ byConnection: {} }));

function take(connectionId: string, known: Known): void {
  useAlerts.setState(({ byConnection }) => ({ byConnection: { ...byConnection, [connectionId]: known } }));
}

/** Asks for a connection's rules and how they stand. What was known stays when that fails. */
export async function loadAlerts(connectionId: string): Promise<void> {
  const listed = await call('alert:list', { connectionId });
  if (listed.ok) take(connectionId, { kind: 'ready', overview: listed.value });
  else if (useAlerts.getState().byConnection[connectionId]?.kind !== 'ready')
    take(connectionId, { kind: 'failed', failure: listed.failure });
}

/** What is known of a connection's alerts, asked for when it is not; null until the answer is there. */
export function useAlertsOf(connectionId: string): Known | null {
  const known = useAlerts((state) => state.byConnection[connectionId] ?? null);
  useEffect(() => {
    if (useAlerts.getState().byConnection[connectionId]?.kind !== 'ready') void loadAlerts(connectionId);
  }, [connectionId]);
  return known;
}

/** How many rules fire on the current connection. */
export function useFiringCount(): number {
  const connectionId = useSession((state) => currentConnection(state)?.id ?? null);
  return useAlerts((state) => (connectionId === null ? 0 : firingOf(state.byConnection[connectionId]).length));
}

function firingOf(known: Known | undefined): AlertStanding[] {
  return known?.kind === 'ready' ? known.overview.standings.filter(({ phase }) => phase === 'firing') : [];
}

async function changed(
  connectionId: string,
  asked: Promise<{ ok: true; value: AlertOverview } | { ok: false; failure: Failure }>,
): Promise<Failure | null> {
  const result = await asked;
  if (!result.ok) return result.failure;
  take(connectionId, { kind: 'ready', overview: result.value });
  return null;
}

/** Makes or changes a rule. Answers why it could not, or null. */
export function saveRule(draft: AlertRuleDraft): Promise<Failure | null> {
  return changed(draft.connectionId, call('alert:saveRule', draft));
}

/** Deletes a rule; `restoreRule` takes it back. */
export function removeRule(connectionId: string, ruleId: string): Promise<Failure | null> {
  return changed(connectionId, call('alert:removeRule', { connectionId, ruleId }));
}

/** Puts a deleted rule back as it was, at its place counted from 0. */
export function restoreRule(rule: AlertRule, place: number): Promise<Failure | null> {
  return changed(rule.connectionId, call('alert:restoreRule', { connectionId: rule.connectionId, rule, place }));
}

/** Where a rule stands in its connection's list, counted from 0; the end where it is not known. */
export function placeOfRule({ connectionId, id }: AlertRule): number {
  const known = useAlerts.getState().byConnection[connectionId];
  const rules = known?.kind === 'ready' ? known.overview.rules : [];
  const place = rules.findIndex((rule) => rule.id === id);
  return place === -1 ? rules.length : place;
}

/** Switches a rule at one endpoint, or with null wherever it watches. */
export function setRuleOn(
  connectionId: string,
  ruleId: string,
  endpointId: string | null,
  isOn: boolean,
): Promise<Failure | null> {
  return changed(connectionId, call('alert:setOn', { connectionId, ruleId, endpointId, isOn }));
}

/** Starts listening; called once. */
export function listenToAlerts(): void {
  on('alert:changed', (overview) => take(overview.connectionId, { kind: 'ready', overview }));
  let connectionId: string | null = null;
  useSession.subscribe((state) => {
    const now = currentConnection(state)?.id ?? null;
    if (now === connectionId) return;
    connectionId = now;
    if (now !== null) void loadAlerts(now);
  });
}
