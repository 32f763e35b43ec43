import { create } from 'zustand';
import type { Place } from '../data/filter-query.ts';
import { useJobs } from '../data/jobs-store.ts';
import { isSamePane, useShell, type Pane } from './shell-store.ts';

/** A place in the window's history: a view or endpoint with its open job, or another pane. */
interface Stop {
  place: Place;
  selectedKey: string | null;
  pane: Pane;
}

interface NavigationState {
  stops: readonly Stop[];
  at: number;
  back: () => void;
  forward: () => void;
}

/** Moving through rows with J and K makes one stop, not one for each row. */
const settleMs = 500;
const longest = 60;

function isSame(one: Stop | undefined, other: Stop): boolean {
  return (
    one !== undefined &&
    isSamePane(one.pane, other.pane) &&
    one.place.view === other.place.view &&
    one.place.endpointId === other.place.endpointId &&
    one.place.batchId === other.place.batchId &&
    one.selectedKey === other.selectedKey
  );
}

export const useNavigation = create<NavigationState>((set, get) => {
  const goTo = (at: number): void => {
    const stop = get().stops[at];
    if (stop === undefined) return;
    set({ at });
    useShell.getState().set({ pane: stop.pane });
    const jobs = useJobs.getState();
    if (
      jobs.place.view !== stop.place.view ||
      jobs.place.endpointId !== stop.place.endpointId ||
      jobs.place.batchId !== stop.place.batchId
    )
      jobs.setPlace(stop.place);
    if (stop.selectedKey === null) jobs.closeDetail();
    else jobs.select(stop.selectedKey);
  };
  return {
    stops: [],
    at: -1,
    back: () => goTo(get().at - 1),
    forward: () => goTo(get().at + 1),
  };
});

/** Records where the window goes. Called once by the main window. Returns the function that stops that. */
export function rememberPlaces(): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const record = (): void => {
    timer = null;
    const { place, selectedKey, isDetailOpen } = useJobs.getState();
    const stop: Stop = { place, selectedKey: isDetailOpen ? selectedKey : null, pane: useShell.getState().pane };
    const { stops, at } = useNavigation.getState();
    if (isSame(stops[at], stop)) return;
    const kept = [...stops.slice(0, at + 1), stop].slice(-longest);
    useNavigation.setState({ stops: kept, at: kept.length - 1 });
  };
  record();
  const recordSoon = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(record, settleMs);
  };
  const endJobs = useJobs.subscribe((state, before) => {
    if (
      state.place !== before.place ||
      state.selectedKey !== before.selectedKey ||
      state.isDetailOpen !== before.isDetailOpen
    )
      recordSoon();
  });
  const endShell = useShell.subscribe((state, before) => {
    if (!isSamePane(state.pane, before.pane)) recordSoon();
  });
  return () => {
    endJobs();
    endShell();
    if (timer !== null) clearTimeout(timer);
  };
}
