import { create } from 'zustand';
import type { RememberedPod } from '../../src-preload/pod-reading.ts';
import { call } from '../bridge.ts';
import { toast } from '../design/toast.tsx';
import { commonText } from '../messages/common.ts';
import { forgetPodText } from '../messages/pods/forget.ts';

/** How long the removal of a pod from the list can be undone. */
const undoMs = 8_000;

const idOf = ({ connectionId, podId }: Pick<RememberedPod, 'connectionId' | 'podId'>): string =>
  `${connectionId}\n${podId}`;

/** Pods that the user removed from the list and can still bring back. */
const useForgotten = create<ReadonlySet<string>>(() => new Set());

/** `pods` without those that the user removed and can still bring back. */
export function useKnownPods(pods: readonly RememberedPod[] | undefined): readonly RememberedPod[] | undefined {
  const forgotten = useForgotten();
  return forgotten.size === 0 ? pods : pods?.filter((pod) => !forgotten.has(idOf(pod)));
}

/** Removes a pod from the list. What was read of it is deleted when the time to undo has passed. */
export function forgetPod(pod: RememberedPod): void {
  useForgotten.setState(new Set([...useForgotten.getState(), idOf(pod)]), true);
  toast(forgetPodText.forgot(pod.name ?? pod.podId), {
    shownMs: undoMs,
    action: { label: commonText.undo, onSelect: () => showAgain(pod) },
    onGone: () => void forget(pod),
  });
}

async function forget(pod: RememberedPod): Promise<void> {
  const { connectionId, podId } = pod;
  const result = await call('pod:forget', { connectionId, podId });
  if (!result.ok) toast(forgetPodText.couldNot(result.failure.message));
  showAgain(pod);
}

function showAgain(pod: RememberedPod): void {
  useForgotten.setState(new Set([...useForgotten.getState()].filter((id) => id !== idOf(pod))), true);
}
