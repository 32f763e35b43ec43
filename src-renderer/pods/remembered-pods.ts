import type { UseQueryResult } from '@tanstack/react-query';
import type { Failure } from '../../src-preload/failure.ts';
import type { RememberedPod } from '../../src-preload/pod-reading.ts';
import { useCall } from '../data/calls.ts';

/** The pods of a connection that were opened before, the last one first. */
export function useRememberedPods(connectionId: string | null): UseQueryResult<RememberedPod[], Failure> {
  return useCall('pod:list', connectionId === null ? null : { connectionId }, { isKeptByEvents: true });
}
