import { create } from 'zustand';
import type { JobFilter, JobSort } from '../../src-preload/history.ts';
import type { SavedView } from '../../src-preload/settings.ts';
import { toJobFilter, type KnownNames, type Place } from '../data/filter-query.ts';
import { parseQuery, tokenText, type FilterQuery } from '../data/filter-tokens.ts';
import { useJobs } from '../data/jobs-store.ts';
import { chooseSettings, useSession } from '../data/session-store.ts';
import { toast } from '../design/toast.tsx';
import { jobsPane, useShell } from './shell-store.ts';

/** Filters that the user keeps under a name, with the order of the list. They are kept with the settings. */

/** The dialog that asks for a name: of the list as it stands, or of a saved view. */
interface NameDialog {
  asked: { kind: 'new' } | { kind: 'rename'; view: SavedView } | null;
  ask: (asked: NameDialog['asked']) => void;
}

export const useViewNameDialog = create<NameDialog>((set) => ({
  asked: null,
  ask: (asked) => set({ asked }),
}));

export const mostSavedViews = 100;

const savedViews = (): readonly SavedView[] => useSession.getState().settings.savedViews;

/** What a view keeps of where the list stands. */
export function viewOf(place: Place, query: FilterQuery, sort: JobSort | null): Omit<SavedView, 'id' | 'name'> {
  const batch = place.batchId === undefined ? [] : [tokenText({ field: 'batch', value: place.batchId })];
  return {
    view: place.view,
    endpointId: place.endpointId,
    tokens: [...batch, ...query.tokens.map(tokenText)].join(' '),
    text: query.text.trim(),
    sort,
  };
}

/** Whether the list stands as the view keeps it. */
export function isViewOn(view: SavedView, place: Place, query: FilterQuery, sort: JobSort | null): boolean {
  const now = viewOf(place, query, sort);
  return (
    view.view === now.view &&
    view.endpointId === now.endpointId &&
    view.tokens === now.tokens &&
    view.text === now.text &&
    isSameSort(view.sort, sort)
  );
}

function isSameSort(one: JobSort | null, other: JobSort | null): boolean {
  return one?.column === other?.column && one?.isDescending === other?.isDescending;
}

/** Keeps the list as it stands under a name, behind the others. */
export async function saveView(name: string): Promise<void> {
  const { place, query } = useJobs.getState();
  const view = { id: crypto.randomUUID(), name, ...viewOf(place, query, useSession.getState().settings.listSort) };
  await chooseSettings({ savedViews: [...savedViews(), view] });
}

/** Renames a saved view. A failure is shown as a toast. */
export async function renameView(id: string, name: string): Promise<void> {
  await chooseSettings({ savedViews: savedViews().map((view) => (view.id === id ? { ...view, name } : view)) });
}

/** Moves a view up (-1) or down (1) among the others. */
export async function moveView(id: string, step: 1 | -1): Promise<void> {
  const views = [...savedViews()];
  const from = views.findIndex((view) => view.id === id);
  const to = from + step;
  const view = views[from];
  if (view === undefined || to < 0 || to >= views.length) return;
  views.splice(from, 1);
  views.splice(to, 0, view);
  await chooseSettings({ savedViews: views });
}

/** Deletes a view at once; for a moment it can be brought back to where it was. */
export async function deleteView(view: SavedView): Promise<void> {
  const at = savedViews().findIndex(({ id }) => id === view.id);
  await chooseSettings({ savedViews: savedViews().filter(({ id }) => id !== view.id) });
  toast(`Deleted the view ${view.name}`, {
    action: {
      label: 'Undo',
      onSelect: () => {
        const views = savedViews().filter(({ id }) => id !== view.id);
        void chooseSettings({ savedViews: views.toSpliced(at === -1 ? views.length : at, 0, view) });
      },
    },
  });
}

/** What a view asks the engine for. */
export function filterOfView(
  { view, endpointId, tokens, text }: SavedView,
  known: KnownNames,
  nowMs: number,
): JobFilter {
  return toJobFilter({ view, endpointId }, { tokens: parseQuery(tokens, true).tokens, text }, known, nowMs);
}

/** Shows what a view keeps: its filter in its order. */
export async function goToSavedView({ view, endpointId, tokens, text, sort }: SavedView): Promise<void> {
  useShell.getState().set({ pane: jobsPane });
  const { listSort } = useSession.getState().settings;
  if (!isSameSort(listSort, sort)) await chooseSettings({ listSort: sort });
  useJobs.getState().show({ view, endpointId }, { tokens: parseQuery(tokens, true).tokens, text });
}
