import { create } from 'zustand';
import type { Failure } from '../../src-preload/failure.ts';
import { emptyFilter } from '../../src-preload/history.ts';
import type { JobFilter } from '../../src-preload/history.ts';
import { isFinished } from '../../src-preload/job.ts';
import type { Job } from '../../src-preload/job.ts';
import { call, on } from '../bridge.ts';
import { hint, orSay } from '../call-or-say.ts';
import { startOfDay } from '../design/format.ts';
import { createThrottle } from './throttle.ts';
import { currentConnection, useSession } from './session-store.ts';
import { emptyQuery, toJobFilter } from './filter-query.ts';
import type { FilterQuery, Place } from './filter-query.ts';
import { createJobList } from './job-list.ts';
import type { JobList } from './job-list.ts';

export interface JobsState {
  place: Place;
  query: FilterQuery;
  /** Derived from place, query and the current connection: what the engine was asked with. */
  filter: JobFilter;
  /** The jobs shown: another object after every change, so that what is drawn from it is drawn anew. */
  list: JobList;
  /** `first` until the first answer for this connection. */
  status: 'first' | 'ready' | 'failed';
  problem: Failure | null;
  /** How many match, and how many there are without the filter. */
  total: number;
  allTotal: number;
  snippets: Readonly<Record<string, string>>;
  hasMore: boolean;
  /** The row with the focus; the detail follows it while it is open. */
  selectedKey: string | null;
  isDetailOpen: boolean;
  pickedKeys: ReadonlySet<string>;
  /** Ids of folded groups. */
  folded: ReadonlySet<string>;
  /** New jobs waiting behind the "3 new" chip. */
  waitingNew: number;

  setPlace: (place: Place) => void;
  setQuery: (query: FilterQuery) => void;
  /** For other features: narrows or changes what the list shows. */
  setFilter: (patch: Partial<Place>) => void;
  reload: () => Promise<void>;
  loadMore: () => Promise<void>;
  apply: (jobs: readonly Job[]) => void;
  /** Shows a job in the detail pane and marks it seen; null closes the pane. */
  select: (key: string | null) => void;
  /** Moves the focus; the detail follows where it is open. */
  focus: (key: string) => void;
  closeDetail: () => void;
  pick: (keys: Iterable<string>) => void;
  togglePicked: (key: string) => void;
  clearPicked: () => void;
  toggleFolded: (sectionId: string) => void;
  hold: (isHeld: boolean) => void;
  showNew: () => void;
}

const pageSize = 200;
const livePageSize = 500;

export const useJobs = create<JobsState>((set, get) => {
  const list = createJobList();
  let asked = 0;
  let isLoadingMore = false;
  let nextLive: string | null = null;
  let nextAll: string | null = null;
  /** Loads under way, and what changed meanwhile: a page read before a change must not undo it. */
  let loads = 0;
  const changedMeanwhile = new Map<string, Job>();

  const changed = (patch: Partial<JobsState> = {}): void =>
    set({ ...patch, list: { ...list }, waitingNew: list.waiting() });
  const apply = (jobs: readonly Job[], filter: JobFilter): void => list.apply(jobs, filter, startOfDay(Date.now()));
  const derive = (place: Place, query: FilterQuery): JobFilter =>
    toJobFilter(place, query, currentConnection(useSession.getState()), Date.now());

  /** Live jobs stand on top wherever they were made, so they are asked for apart from the pages. */
  const wantsLive = (filter: JobFilter): boolean => filter.view === 'all' && filter.text === '';

  const endLoad = (filter: JobFilter, isTaken: boolean): void => {
    loads -= 1;
    if (isTaken) apply([...changedMeanwhile.values()], filter);
    if (loads === 0) changedMeanwhile.clear();
  };

  const load = async (): Promise<void> => {
    const mine = (asked += 1);
    const { filter } = get();
    loads += 1;
    const [page, live] = await Promise.all([
      call('job:list', { filter, beforeKey: null, limit: pageSize }),
      wantsLive(filter)
        ? call('job:list', { filter: { ...filter, view: 'active' }, beforeKey: null, limit: livePageSize })
        : null,
    ]);
    if (mine !== asked) {
      endLoad(filter, false);
      return;
    }
    if (!page.ok) {
      endLoad(filter, false);
      changed({ status: 'failed', problem: page.failure });
      return;
    }
    list.clear();
    list.addPage(page.value.jobs);
    nextAll = page.value.nextBeforeKey;
    nextLive = null;
    if (live !== null) orSay(live);
    if (live !== null && live.ok) {
      list.addPage(live.value.jobs);
      nextLive = live.value.nextBeforeKey;
    }
    list.setLoadedDownTo(nextAll);
    endLoad(filter, true);
    changed({
      status: 'ready',
      problem: null,
      total: page.value.total,
      allTotal: page.value.allTotal,
      snippets: page.value.snippets,
      hasMore: nextAll !== null,
    });
  };

  /** While a text search stands, only the engine can say whether a changed job now matches. */
  const searchAgainSoon = createThrottle(2_000, () => {
    if (get().filter.text !== '') void load();
  });

  const narrow = (place: Place, query: FilterQuery): void => {
    const filter = derive(place, query);
    set({ place, query, filter, pickedKeys: new Set() });
    void load();
  };

  const markSeen = (keys: readonly string[]): void => {
    const unseen = keys.filter((key) => list.get(key)?.isSeen === false);
    if (unseen.length === 0) return;
    apply(
      unseen.flatMap((key) => {
        const job = list.get(key);
        return job === undefined ? [] : [{ ...job, isSeen: true }];
      }),
      get().filter,
    );
    hint('job:markSeen', { keys: unseen.slice(0, 1_000) });
  };

  return {
    place: { view: 'all', endpointId: null },
    query: emptyQuery,
    filter: emptyFilter,
    list,
    status: 'first',
    problem: null,
    total: 0,
    allTotal: 0,
    snippets: {},
    hasMore: false,
    selectedKey: null,
    isDetailOpen: false,
    pickedKeys: new Set<string>(),
    folded: new Set<string>(),
    waitingNew: 0,

    setPlace: (place) => narrow(place, get().query),
    setQuery: (query) => narrow(get().place, query),
    setFilter: (patch) => narrow({ ...get().place, ...patch }, emptyQuery),
    reload: async () => {
      const filter = derive(get().place, get().query);
      if (filter.connectionId !== get().filter.connectionId) {
        list.clear();
        changed({ status: 'first', total: 0, allTotal: 0, hasMore: false, selectedKey: null, pickedKeys: new Set() });
      }
      set({ filter });
      await load();
    },
    loadMore: async () => {
      if (isLoadingMore || (nextLive === null && nextAll === null)) return;
      isLoadingMore = true;
      const mine = asked;
      const { filter } = get();
      const isLivePage = nextLive !== null;
      loads += 1;
      const page = await call(
        'job:list',
        isLivePage
          ? { filter: { ...filter, view: 'active' }, beforeKey: nextLive, limit: livePageSize }
          : { filter, beforeKey: nextAll, limit: pageSize },
      );
      isLoadingMore = false;
      orSay(page);
      if (mine !== asked || !page.ok) {
        endLoad(filter, false);
        return;
      }
      list.addPage(page.value.jobs);
      if (isLivePage) nextLive = page.value.nextBeforeKey;
      else {
        nextAll = page.value.nextBeforeKey;
        list.setLoadedDownTo(nextAll);
      }
      endLoad(filter, true);
      changed({ hasMore: nextAll !== null, snippets: { ...get().snippets, ...page.value.snippets } });
    },
    apply: (jobs) => {
      const { filter, selectedKey, isDetailOpen } = get();
      const before = list.live().length + list.rest().length + list.waiting();
      if (loads > 0) for (const job of jobs) changedMeanwhile.set(job.key, job);
      apply(jobs, filter);
      const selected = isDetailOpen ? jobs.find((job) => job.key === selectedKey) : undefined;
      if (
        selected !== undefined &&
        !selected.isSeen &&
        (isFinished(selected) || selected.pendingStream !== undefined) &&
        document.hasFocus()
      )
        markSeen([selected.key]);
      const grown = list.live().length + list.rest().length + list.waiting() - before;
      changed({ total: Math.max(0, get().total + grown), allTotal: Math.max(0, get().allTotal + Math.max(0, grown)) });
      if (filter.text !== '') searchAgainSoon();
    },
    select: (key) => {
      if (key !== null) {
        // A job asked for by name is shown now, even where new rows wait for the pointer to leave.
        if (list.waiting() > 0 && !list.live().includes(key) && !list.rest().includes(key)) list.settle();
        markSeen([key]);
      }
      changed({ selectedKey: key, isDetailOpen: key !== null });
    },
    focus: (key) => {
      if (get().isDetailOpen) markSeen([key]);
      changed({ selectedKey: key });
    },
    closeDetail: () => set({ isDetailOpen: false }),
    pick: (keys) => set({ pickedKeys: new Set(keys) }),
    togglePicked: (key) =>
      set(({ pickedKeys }) => {
        const next = new Set(pickedKeys);
        if (!next.delete(key)) next.add(key);
        return { pickedKeys: next };
      }),
    clearPicked: () => set({ pickedKeys: new Set() }),
    toggleFolded: (sectionId) =>
      set(({ folded }) => {
        const next = new Set(folded);
        if (!next.delete(sectionId)) next.add(sectionId);
        return { folded: next };
      }),
    hold: (isHeld) => {
      list.hold(isHeld);
      if (!isHeld) changed();
    },
    showNew: () => {
      list.settle();
      changed();
    },
  };
});

/** Starts listening; called once. Changes are gathered and applied once a frame. */
export function listenToJobs(): void {
  let gathered = new Map<string, Job>();
  let isScheduled = false;
  const flush = (): void => {
    isScheduled = false;
    const jobs = [...gathered.values()];
    gathered = new Map();
    useJobs.getState().apply(jobs);
  };
  on('job:changed', ({ jobs }) => {
    for (const job of jobs) gathered.set(job.key, job);
    if (isScheduled) return;
    isScheduled = true;
    if (document.hidden) setTimeout(flush, 100);
    else requestAnimationFrame(flush);
  });
}
