import type { Settings } from '../../src-preload/settings.ts';
import { useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';
import { useJobs } from '../data/jobs-store.ts';

/** How the rows of a batch are shown. */
export type BatchView = 'list' | 'table' | 'images';

/** The view of an endpoint's batches: the one chosen last. Pure. */
export function savedView(saved: Settings['batchViews'], endpointId: string): BatchView {
  return saved.find((one) => one.endpointId === endpointId)?.view ?? 'list';
}

/** The view of an endpoint's batches. */
export function useBatchView(endpointId: string | null): BatchView {
  return useSession((state) => (endpointId === null ? 'list' : savedView(state.settings.batchViews, endpointId)));
}

/** Chooses the view of an endpoint's batches. A table or images get the room of the job that is open. */
export function chooseBatchView(endpointId: string, view: BatchView): void {
  if (view !== 'list') useJobs.getState().closeDetail();
  void chooseSettings({ batchViews: { endpointId, view } });
}
