import type { UseQueryResult } from '@tanstack/react-query';
import { create } from 'zustand';
import type { EndpointCost } from '../../src-preload/cost.ts';
import type { EndpointRef } from '../../src-preload/endpoint-key.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { changeAnswers, useCall } from '../data/calls.ts';

/** A failed read of the rates is repeated after this time. */
const againAfterFailureMs = 5_000;

/** The rates and limits of all connections' endpoints. Endpoints without any are left out. */
export function useRates(): UseQueryResult<EndpointCost[], Failure> {
  return useCall('cost:list', { connectionId: null }, { isKeptByEvents: true, againAfterFailureMs });
}

/** The saved rate and limits of an endpoint. Null if it has none, undefined while that is not known. */
export function useEndpointCost(connectionId: string, endpointId: string): EndpointCost | null | undefined {
  const { data } = useRates();
  if (data === undefined) return undefined;
  return data.find((cost) => cost.connectionId === connectionId && cost.endpointId === endpointId) ?? null;
}

/** The endpoint whose rate is to be entered in its costs, which are about to be shown. Null: none. */
export const useAskedRate = create<{ endpoint: EndpointRef | null }>(() => ({ endpoint: null }));

/** Shows an endpoint's costs as they were just saved, before the event that reports them. */
export function showCost(cost: EndpointCost): void {
  changeAnswers('cost:list', null, (before) => [
    ...before.filter((one) => one.connectionId !== cost.connectionId || one.endpointId !== cost.endpointId),
    cost,
  ]);
}
