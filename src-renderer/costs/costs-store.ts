import { useEffect } from 'react';
import { create } from 'zustand';
import type { EndpointCost } from '../../src-preload/cost.ts';
import { call, on } from '../bridge.ts';
import { healthKey } from '../data/session-store.ts';

interface CostsState {
  /** By `healthKey`; only endpoints that have a rate or a limit. */
  costs: Readonly<Record<string, EndpointCost>>;
  isLoaded: boolean;
}

export const useCosts = create<CostsState>(() => ({ costs: {}, isLoaded: false }));

let isListening = false;

/** Reads the rates once a window and keeps them up; what needs them calls it. */
export function useRates(): void {
  useEffect(() => {
    if (isListening) return;
    isListening = true;
    on('cost:changed', (cost) =>
      useCosts.setState(({ costs }) => ({
        costs: { ...costs, [healthKey(cost.connectionId, cost.endpointId)]: cost },
      })),
    );
    void call('cost:list', { connectionId: null }).then((result) => {
      if (!result.ok) return;
      const read = Object.fromEntries(
        result.value.map((cost) => [healthKey(cost.connectionId, cost.endpointId), cost]),
      );
      // What was told meanwhile is newer.
      useCosts.setState(({ costs }) => ({ costs: { ...read, ...costs }, isLoaded: true }));
    });
  }, []);
}

/** What is kept of an endpoint's costs; null where it has neither a rate nor a limit. */
export function useEndpointCost(connectionId: string, endpointId: string): EndpointCost | null {
  useRates();
  return useCosts((state) => state.costs[healthKey(connectionId, endpointId)] ?? null);
}
