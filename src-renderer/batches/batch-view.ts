import { batchTableBounds } from '../../src-preload/bounds.ts';
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

/** The saved views after a choice. Beyond the limit, the oldest is dropped. Pure. */
export function withSavedView(
  saved: Settings['batchViews'],
  endpointId: string,
  view: BatchView,
): Settings['batchViews'] {
  const others = saved.filter((one) => one.endpointId !== endpointId);
  return view === 'list' ? others : [...others, { endpointId, view }].slice(-batchTableBounds.maxEndpoints);
}

/** The view of an endpoint's batches. */
export function useBatchView(endpointId: string | null): BatchView {
  return useSession((state) => (endpointId === null ? 'list' : savedView(state.settings.batchViews, endpointId)));
}

/** Chooses the view of an endpoint's batches. A table or images get the room of the job that is open. */
export function chooseBatchView(endpointId: string, view: BatchView): void {
  if (view !== 'list') useJobs.getState().closeDetail();
  const { batchViews } = useSession.getState().settings;
  void chooseSettings({ batchViews: withSavedView(batchViews, endpointId, view) });
}
