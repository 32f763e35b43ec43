import type { UseQueryResult } from '@tanstack/react-query';
import type { EndpointCost } from '../../src-preload/cost.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { useCall } from '../data/calls.ts';

/** Rates that could not be read are asked for again after this pause. */
const againAfterFailureMs = 5_000;

/** Rates and limits of all connections' endpoints; only endpoints that have any. */
export function useRates(): UseQueryResult<EndpointCost[], Failure> {
  return useCall('cost:list', { connectionId: null }, { isKeptByEvents: true, againAfterFailureMs });
}

/** What is kept of an endpoint's costs; null where it has neither a rate nor a limit. */
export function useEndpointCost(connectionId: string, endpointId: string): EndpointCost | null {
  const ofEndpoint = useRates().data?.find(
    (cost) => cost.connectionId === connectionId && cost.endpointId === endpointId,
  );
  return ofEndpoint ?? null;
}
