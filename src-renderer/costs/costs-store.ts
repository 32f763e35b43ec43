import { useEffect } from 'react';
import { create } from 'zustand';
import type { EndpointCost } from '../../src-preload/cost.ts';
import { call, on } from '../bridge.ts';
import { healthKey } from '../data/session-store.ts';

interface CostsState {
  /** By `healthKey`; only endpoints that have a rate or a limit. */
  costs: Readonly<Record<string, EndpointCost>>;
}

export const useCosts = create<CostsState>(() => ({ costs: {} }));

/** Rates that could not be read are asked for again after this pause. */
const againMs = 5_000;

let isListening = false;

/** Reads the rates once a window and keeps them up. */
export function listenToRates(): void {
  if (isListening) return;
  isListening = true;
  on('cost:changed', (cost) =>
    useCosts.setState(({ costs }) => ({ costs: { ...costs, [healthKey(cost.connectionId, cost.endpointId)]: cost } })),
  );
  void readRates();
}

async function readRates(): Promise<void> {
  const result = await call('cost:list', { connectionId: null });
  if (!result.ok) {
    setTimeout(() => void readRates(), againMs);
    return;
  }
  const read = Object.fromEntries(result.value.map((cost) => [healthKey(cost.connectionId, cost.endpointId), cost]));
  // What was told meanwhile is newer.
  useCosts.setState(({ costs }) => ({ costs: { ...read, ...costs } }));
}

/** Has the rates read; what needs them calls it. */
export function useRates(): void {
  useEffect(listenToRates, []);
}

/** What is kept of an endpoint's costs; null where it has neither a rate nor a limit. */
export function useEndpointCost(connectionId: string, endpointId: string): EndpointCost | null {
  useRates();
  return useCosts((state) => state.costs[healthKey(connectionId, endpointId)] ?? null);
}
