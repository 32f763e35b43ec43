import { create } from 'zustand';
import type { Failure } from '../../src-preload/failure.ts';
import type { JobFilter, JobSort } from '../../src-preload/history.ts';
import type { SavedView, Settings } from '../../src-preload/settings.ts';
import { toJobFilter, type KnownNames, type Place } from '../data/query-to-job-filter.ts';
import type { FilterQuery } from '../data/parse-filter.ts';
import { readListQuery, writeList } from '../data/written-list.ts';
import { useJobs } from '../data/jobs-store.ts';
import { useSession } from '../data/session-store.ts';
import { changeSettings, chooseSettings } from '../data/change-settings.ts';
import { toast, undoAction } from '../design/toast.tsx';
import { goToPlace } from './go.ts';
import { savedViewText } from '../messages/navigation.tsx';

/** Filters that the user saves under a name, with the order of the list. They are kept in the settings. */

/** The dialog that asks for a name, for the current list or for a saved view. */
interface NameDialog {
  subject: { kind: 'new' } | { kind: 'rename'; view: SavedView } | null;
  setSubject: (subject: NameDialog['subject']) => void;
}

export const useViewNameDialog = create<NameDialog>((set) => ({
  subject: null,
  setSubject: (subject) => set({ subject }),
}));

export const maxSavedViews = 100;

const savedViews = (): readonly SavedView[] => useSession.getState().settings.savedViews;

/** The parts of the list's state that a view saves. */
export function viewOf(place: Place, query: FilterQuery, sort: JobSort | null): Omit<SavedView, 'id' | 'name'> {
  return { ...writeList(place, query), sort };
}

/** Whether the list shows exactly this view. */
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

/** The saved view that a list shows, or null. */
export function savedViewOn(
  { savedViews: views, listSort }: Pick<Settings, 'savedViews' | 'listSort'>,
  place: Place,
  query: FilterQuery,
): SavedView | null {
  return views.find((view) => isViewOn(view, place, query, listSort)) ?? null;
}

function isSameSort(one: JobSort | null, other: JobSort | null): boolean {
  return one?.column === other?.column && one?.isDescending === other?.isDescending;
}

/** Saves the current list as a view with a name, after the others. Returns why it failed, or null. */
export async function saveView(name: string): Promise<Failure | null> {
  const { place, query } = useJobs.getState();
  const view = { id: crypto.randomUUID(), name, ...viewOf(place, query, useSession.getState().settings.listSort) };
  return await changeSettings({ savedViews: { kind: 'add', item: view, place: null } });
}

/** Renames a saved view. Returns why it failed, or null. */
export async function renameView(id: string, name: string): Promise<Failure | null> {
  return await changeSettings({ savedViews: { kind: 'rename', id, name } });
}

/** Moves a view up (-1) or down (1) among the others. */
export async function moveView(id: string, step: 1 | -1): Promise<void> {
  const views = savedViews();
  const from = views.findIndex((view) => view.id === id);
  const to = from + step;
  if (from === -1 || to < 0 || to >= views.length) return;
  const next = views[step === -1 ? to : to + 1];
  await chooseSettings({ savedViews: { kind: 'move', id, beforeId: next?.id ?? null } });
}

/** Deletes a view immediately. A toast offers to undo it. */
export async function deleteView(view: SavedView): Promise<void> {
  const at = savedViews().findIndex(({ id }) => id === view.id);
  const failure = await changeSettings({ savedViews: { kind: 'remove', id: view.id } });
  if (failure !== null) {
    toast(failure.message);
    return;
  }
  toast(savedViewText.deleted(view.name), {
    action: undoAction(() => {
      void chooseSettings({ savedViews: { kind: 'add', item: view, place: at === -1 ? null : at } });
    }),
  });
}

/** The filter of a view for the engine. */
export function filterOfView(
  { view, endpointId, tokens, text }: SavedView,
  known: KnownNames,
  nowMs: number,
): JobFilter {
  return toJobFilter({ view, endpointId }, readListQuery({ tokens, text }), known, nowMs);
}

/** Shows a saved view: its filter in its order. */
export async function goToSavedView({ view, endpointId, tokens, text, sort }: SavedView): Promise<void> {
  const { listSort } = useSession.getState().settings;
  if (!isSameSort(listSort, sort)) await chooseSettings({ listSort: sort });
  goToPlace({ view, endpointId }, readListQuery({ tokens, text }));
}
