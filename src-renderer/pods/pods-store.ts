import { useEffect } from 'react';
import { create } from 'zustand';
import type { Failure } from '../../src-preload/failure.ts';
import type { RememberedPod } from '../../src-preload/pod-look.ts';
import { call, on } from '../bridge.ts';
import { useCurrentConnection } from '../data/session-store.ts';

interface RememberedPods {
  /** Whose pods these are; null before the first question. */
  connectionId: string | null;
  /** Last opened first; null until they are known. */
  pods: readonly RememberedPod[] | null;
  failure: Failure | null;
}

/** The remembered pods of the connection in use, for sidebar, palette and pane. */
export const usePods = create<RememberedPods>(() => ({ connectionId: null, pods: null, failure: null }));

const none: readonly RememberedPod[] = [];

async function load(connectionId: string): Promise<void> {
  if (usePods.getState().connectionId !== connectionId) usePods.setState({ connectionId, pods: null, failure: null });
  const result = await call('pod:list', { connectionId });
  if (usePods.getState().connectionId !== connectionId) return;
  if (result.ok) usePods.setState({ pods: result.value, failure: null });
  else usePods.setState({ failure: result.failure });
}

/** Keeps the store at the connection in use; rendered once, by the sidebar. Answers how many there are. */
export function useRememberedPods(): readonly RememberedPod[] {
  const connectionId = useCurrentConnection()?.id ?? null;
  useEffect(() => {
    if (connectionId === null) return undefined;
    void load(connectionId);
    return on('pod:changed', (changed) => {
      if (changed.connectionId === connectionId) usePods.setState({ pods: changed.pods, failure: null });
    });
  }, [connectionId]);
  return usePods((state) => (state.connectionId === connectionId ? (state.pods ?? none) : none));
}

/** Reads the list again after it could not be read. */
export function reloadPods(): void {
  const { connectionId } = usePods.getState();
  if (connectionId !== null) void load(connectionId);
}

/** Opens a pod's window, or brings it forward. */
export function openPod(connectionId: string, podId: string): void {
  void call('window:openResource', { connectionId, kind: 'pod', id: podId });
}
