import type { UseQueryResult } from '@tanstack/react-query';
import type { Failure } from '../../src-preload/failure.ts';
import type { RememberedPod } from '../../src-preload/pod-reading.ts';
import { useCall } from '../data/calls.ts';
import { call } from '../bridge.ts';
import { createDelayedRemoval } from '../data/delayed-removal.ts';
import { forgetPodText } from '../messages/forget.ts';

/** The pods of a connection that were opened before, the last one first. */
export function useRememberedPods(connectionId: string | null): UseQueryResult<RememberedPod[], Failure> {
  return useCall('pod:list', connectionId === null ? null : { connectionId }, { isKeptByEvents: true });
}

const pods = createDelayedRemoval<RememberedPod>({
  idOf: ({ connectionId, podId }) => `${connectionId}\n${podId}`,
  remove: async ({ connectionId, podId }) => {
    const result = await call('pod:forget', { connectionId, podId });
    return result.ok ? null : forgetPodText.couldNot(result.failure.message);
  },
});

/** `pods` without those that the user removed and can still bring back. */
export const useKnownPods = pods.useShown;
/** The same for now, outside of components. */
export const knownPodsNow = pods.shownNow;

/** Removes a pod from the list. What was read of it is deleted when the time to undo has passed. */
export function forgetPod(pod: RememberedPod): void {
  pods.remove(pod, forgetPodText.forgot(pod.name ?? pod.podId));
}
