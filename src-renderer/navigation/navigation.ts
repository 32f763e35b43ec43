import { create } from 'zustand';
import { createDebounce } from '../data/throttle.ts';
import type { Place } from '../data/query-to-job-filter.ts';
import { isSameQuery, type FilterQuery } from '../data/parse-filter.ts';
import { useJobs } from '../data/jobs-store.ts';
import { isSamePane, useShell, type Pane } from './shell-store.ts';

/** A place in the window's history: a view or endpoint with its open job, or another pane. */
interface Stop {
  place: Place;
  query: FilterQuery;
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
/** Makes the stop that is still waited for, so that Back leads away from it; nothing while none is. */
let recordWaiting = (): void => {};

function isSamePlace(one: Place, other: Place): boolean {
  return one.view === other.view && one.endpointId === other.endpointId && one.batchId === other.batchId;
}

function isSame(one: Stop | undefined, other: Stop): boolean {
  return (
    one !== undefined &&
    isSamePane(one.pane, other.pane) &&
    isSamePlace(one.place, other.place) &&
    isSameQuery(one.query, other.query) &&
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
    if (!isSamePlace(jobs.place, stop.place) || !isSameQuery(jobs.query, stop.query)) jobs.show(stop.place, stop.query);
    if (stop.selectedKey === null) jobs.closeDetail();
    else jobs.select(stop.selectedKey);
  };
  return {
    stops: [],
    at: -1,
    back: () => {
      recordWaiting();
      goTo(get().at - 1);
    },
    forward: () => {
      recordWaiting();
      goTo(get().at + 1);
    },
  };
});

/** Records where the window goes. Called once by the main window. Returns the function that stops that. */
export function rememberPlaces(): () => void {
  const record = (): void => {
    const { place, query, selectedKey, isDetailOpen } = useJobs.getState();
    const stop: Stop = { place, query, selectedKey: isDetailOpen ? selectedKey : null, pane: useShell.getState().pane };
    const { stops, at } = useNavigation.getState();
    if (isSame(stops[at], stop)) return;
    const kept = [...stops.slice(0, at + 1), stop].slice(-longest);
    useNavigation.setState({ stops: kept, at: kept.length - 1 });
  };
  record();
  const { request: recordSoon, flush, cancel } = createDebounce(settleMs, record);
  recordWaiting = flush;
  /** A filter is typed where the window is: it makes no stop, and belongs to this one. */
  const keepQuery = (place: Place, query: FilterQuery): void => {
    const { stops, at } = useNavigation.getState();
    const stop = stops[at];
    if (stop !== undefined && isSamePlace(stop.place, place))
      useNavigation.setState({ stops: stops.with(at, { ...stop, query }) });
  };
  const endJobs = useJobs.subscribe((state, before) => {
    if (state.place === before.place && state.query !== before.query) keepQuery(state.place, state.query);
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
    recordWaiting = () => {};
    cancel();
  };
}
