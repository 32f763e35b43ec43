import { create } from 'zustand';
import type { Batch } from '../../src-preload/batch.ts';
import { emptyFilter, type AllJobCounts, type JobFilter, type JobSort } from '../../src-preload/history.ts';
import { isLive, type Job } from '../../src-preload/job.ts';
import { call, on } from '../bridge.ts';
import { startOfDay } from '../../src-preload/format.ts';
import { batchesOf, isAnyNew, takeBatches, useBatchList } from './batch-list.ts';
import { createThrottle } from './throttle.ts';
import { currentConnection, takeCounts, useSession } from './session-store.ts';
import { chooseSettings } from './change-settings.ts';
import { toJobFilter, type Place } from './query-to-job-filter.ts';
import { emptyQuery, type FilterQuery } from './parse-filter.ts';
import { dropPending, forgetDeleted, forgetDeletedForGood } from './pending-deletions.ts';
import { JobList, type Held, type JobListView } from './job-list.ts';
import { needsEngine } from './job-matches-filter.ts';
import { countOf, JobPages, type ListFacts, type MorePages } from './job-pages.ts';
import { engineNow } from './engine-time.ts';

export interface JobsState extends ListFacts {
  place: Place;
  query: FilterQuery;
  /** Derived from place, query and the current connection: the filter that the engine gets. */
  filter: JobFilter;
  /** The jobs on screen. A new object after every change, so that components are drawn again. */
  list: JobListView;
  /** The focused row. The detail pane shows it while it is open. */
  selectedKey: string | null;
  isDetailOpen: boolean;
  pickedKeys: ReadonlySet<string>;
  /** Selected jobs that are on no loaded page, by key. */
  pickedBeyond: ReadonlyMap<string, Job>;
  /** Ids of collapsed groups. */
  folded: ReadonlySet<string>;
  /** New jobs that wait behind the "3 new" chip. */
  waitingNew: number;
  /** Grows whenever the list is to be scrolled to the focused row, even if that had the focus already. */
  reveals: number;

  /** Goes to a place, without the filter of the one before (docs/decisions/076). */
  setPlace: (place: Place) => void;
  setQuery: (query: FilterQuery) => void;
  /**
   * Searches for other words with the same tokens, or for `orElse` if no job has them and `isStillTyped`. Resolves when
   * their rows are shown, or another search has begun.
   */
  searchFor: (text: string, orElse?: string, isStillTyped?: () => boolean) => Promise<void>;
  /** Shows a place with a filter. */
  show: (place: Place, query: FilterQuery) => void;
  reload: () => Promise<void>;
  /** Reads the next page. `isForAll`: as one of all pages, which are then large. */
  loadMore: (isForAll?: boolean) => Promise<void>;
  /** Applies changed jobs. `revision` is that of the counts that came with them; left out: the present one. */
  apply: (jobs: readonly Job[], revision?: number) => void;
  /** Removes jobs that are deleted or about to be. If one has the focus, or is open, the next row takes its place. */
  hide: (keys: readonly string[]) => void;
  /** Brings back jobs that were not deleted. */
  unhide: (jobs: readonly Job[]) => void;
  /** Shows a job in the detail pane and marks it as seen. Null closes the pane. */
  select: (key: string | null) => void;
  /** As `select`, for a job whose row may be anywhere: the list is read up to it, if that is not far, and scrolled. */
  reveal: (key: string) => Promise<void>;
  /** Moves the focus. The detail pane follows if it is open. */
  focus: (key: string) => void;
  closeDetail: () => void;
  pick: (keys: Iterable<string>) => void;
  /** Selects jobs; those of `beyond` are on no loaded page. */
  pickAll: (keys: Iterable<string>, beyond: ReadonlyMap<string, Job>) => void;
  togglePicked: (key: string) => void;
  clearPicked: () => void;
  toggleFolded: (sectionId: string) => void;
  hold: (held: Held) => void;
  showNew: () => void;
}

const list = new JobList();

/** The most pages that are read to reach a row: 4,000 rows. */
const pagesToReveal = 20;

/** The same objects each time, so that nothing is drawn again if nothing was selected. */
const noSelection: Pick<JobsState, 'pickedKeys' | 'pickedBeyond'> = {
  pickedKeys: new Set<string>(),
  pickedBeyond: new Map<string, Job>(),
};

const start = {
  place: { view: 'all', endpointId: null },
  query: emptyQuery,
  filter: emptyFilter,
  list: list.view(),
  status: 'first',
  problem: null,
  shownFilter: null,
  total: 0,
  isTotalCut: false,
  allTotal: 0,
  snippets: {},
  hasMore: false,
  shownSort: null,
  selectedKey: null,
  isDetailOpen: false,
  ...noSelection,
  folded: new Set<string>(),
  waitingNew: 0,
  reveals: 0,
} as const satisfies Partial<JobsState>;

export const useJobs = create<JobsState>((set, get) => ({
  ...start,
  setPlace: (place) => void narrow(place, emptyQuery),
  setQuery: (query) => void narrow(get().place, query),
  searchFor: async (text, orElse = text, isStillTyped = () => true) => {
    const { query, place } = get();
    const isFound = orElse === text || (await hasJobs(derive(place, { ...query, text })));
    const wanted = isFound ? text : orElse;
    // While the jobs were counted, more may have been typed, which the box would lose, or another filter chosen.
    const isCurrent = isStillTyped() && get().query === query && get().place === place;
    if (isCurrent && wanted !== query.text) await narrow(place, { ...query, text: wanted });
  },
  show: (place, query) => void narrow(place, query),
  reload: async () => {
    const filter = derive(get().place, get().query);
    if (filter.connectionId !== get().filter.connectionId) {
      pages.clear();
      changed({
        status: 'first',
        shownFilter: null,
        total: 0,
        allTotal: 0,
        hasMore: false,
        selectedKey: null,
        ...noSelection,
      });
    }
    set({ filter });
    await pages.load(filter, sortNow());
  },
  loadMore: async (isForAll = false) => {
    await loadNext(isForAll);
  },
  apply: applyChanged,
  hide: hideJobs,
  unhide: unhideJobs,
  select: (key) => {
    if (key !== null) {
      // A job that was opened by its key is shown now, even while new rows wait for the pointer to leave.
      list.show([key]);
      markSeen([key]);
    }
    changed({ selectedKey: key, isDetailOpen: key !== null });
  },
  reveal: async (key) => {
    get().select(key);
    set(({ reveals }) => ({ reveals: reveals + 1 }));
    const isWanted = (): boolean => get().selectedKey === key && get().shownFilter === get().filter;
    for (let page = 0; page < pagesToReveal && isWanted() && pages.mayFollow(key); page += 1)
      if ((await loadNext(false)) === 'failed') return;
  },
  focus: (key) => {
    if (get().isDetailOpen) markSeen([key]);
    changed({ selectedKey: key });
  },
  closeDetail: () => set({ isDetailOpen: false }),
  pick: (keys) => set({ ...noSelection, pickedKeys: new Set(keys) }),
  pickAll: (keys, beyond) => set({ pickedKeys: new Set(keys), pickedBeyond: beyond }),
  togglePicked: (key) => set(({ pickedKeys }) => ({ pickedKeys: toggled(pickedKeys, key) })),
  clearPicked: () => set(noSelection),
  toggleFolded: (sectionId) => set(({ folded }) => ({ folded: toggled(folded, sectionId) })),
  hold: (held) => {
    list.hold(held);
    if (held !== 'all') changed();
  },
  showNew: () => {
    if (get().shownSort !== null) void get().reload();
    list.settle();
    changed();
  },
}));

let applyReported: () => void = () => {};

/** Applies now what was reported and waits for the next frame, such as a job that was just submitted. */
export function applyReportedJobs(): void {
  applyReported();
}

const pages = new JobPages(list, { onAnswer: applyReportedJobs, onCounts: takeCounts, onRead: changed });

function loadNext(isForAll: boolean): Promise<MorePages> {
  const { filter } = useJobs.getState();
  return pages.loadMore(filter, () => useJobs.getState().snippets, isForAll);
}

function changed(patch: Partial<JobsState> = {}): void {
  useJobs.setState({ ...patch, list: list.view(), waitingNew: list.waiting() });
}

function derive(place: Place, query: FilterQuery): JobFilter {
  const connection = currentConnection(useSession.getState());
  const batches = batchesOf(useBatchList.getState(), connection?.id ?? null);
  return toJobFilter(place, query, { connection, batches }, engineNow());
}

/** Whether any job matches. True if that could not be read: the list then says why. */
async function hasJobs(filter: JobFilter): Promise<boolean> {
  const counted = await call('job:count', { filter });
  return !counted.ok || counted.value.total > 0;
}

function narrow(place: Place, query: FilterQuery): Promise<void> {
  const filter = derive(place, query);
  const { place: former, isDetailOpen, selectedKey } = useJobs.getState();
  // A row that was focused in another place means nothing here, unless it is the job that is open.
  const focused = isDetailOpen || place === former ? selectedKey : null;
  useJobs.setState({ place, query, filter, selectedKey: focused, ...noSelection });
  return pages.load(filter, sortNow());
}

/** The chosen order, from the settings. */
function sortNow(): JobSort | null {
  return useSession.getState().settings.listSort;
}

/** Changes the order of the list. Null: newest first. */
export async function setSort(listSort: JobSort | null): Promise<void> {
  await chooseSettings({ listSort });
  await useJobs.getState().reload();
}

function toggled(set: ReadonlySet<string>, value: string): Set<string> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

/** With a filter by words, images or costs, only the engine knows whether a changed job matches. */
const searchAgainSoon = createThrottle(2_000, () => {
  const { filter } = useJobs.getState();
  if (needsEngine(filter)) void pages.load(filter, sortNow());
});

/** Restored jobs have their former places, which may be beyond the loaded pages. */
const readRestoredSoon = createThrottle(500, () => void useJobs.getState().reload());

function applyChanged(jobs: readonly Job[], revision = useSession.getState().counts?.revision ?? 0): void {
  const { filter, selectedKey, isDetailOpen, total, allTotal, pickedBeyond } = useJobs.getState();
  const before = countOf(list);
  const beyond = jobs.filter(({ key }) => pickedBeyond.has(key));
  if (beyond.length > 0)
    useJobs.setState({ pickedBeyond: new Map([...pickedBeyond, ...beyond.map((job) => [job.key, job] as const)]) });
  pages.apply(jobs, filter, revision);
  const selected = isDetailOpen ? jobs.find((job) => job.key === selectedKey) : undefined;
  if (selected !== undefined && hasNews(selected) && document.hasFocus()) markSeen([selected.key]);
  const grown = countOf(list) - before;
  changed({ total: Math.max(0, total + grown), allTotal: Math.max(0, allTotal + Math.max(0, grown)) });
  if (needsEngine(filter)) searchAgainSoon();
}

function hideJobs(keys: readonly string[]): void {
  const { selectedKey, isDetailOpen, pickedKeys, pickedBeyond, total, allTotal, hasMore } = useJobs.getState();
  const isHidden = new Set(keys);
  const isSelectedHidden = selectedKey !== null && isHidden.has(selectedKey);
  const neighbour = isSelectedHidden ? neighbourOf(selectedKey, isHidden) : selectedKey;
  const before = countOf(list);
  const beyondPages = keys.filter((key) => pickedBeyond.has(key) && list.get(key) === undefined);
  list.hide(keys);
  const dropped = before - countOf(list) + beyondPages.length;
  const isAllGone = total <= dropped;
  changed({
    selectedKey: neighbour,
    isDetailOpen: isDetailOpen && neighbour !== null,
    pickedKeys: new Set([...pickedKeys].filter((key) => !isHidden.has(key))),
    pickedBeyond: new Map([...pickedBeyond].filter(([key]) => !isHidden.has(key))),
    hasMore: hasMore && !isAllGone,
    total: Math.max(0, total - dropped),
    allTotal: Math.max(0, allTotal - dropped),
  });
  if (isSelectedHidden && isDetailOpen && neighbour !== null) markSeen([neighbour]);
  // No loaded job is left, and there are more.
  if (hasMore && !isAllGone && countOf(list) === 0) void useJobs.getState().loadMore();
}

/** The next row that stays, or else the one before. */
function neighbourOf(key: string, isHidden: ReadonlySet<string>): string | null {
  const keys = [...list.live(), ...list.rest()];
  const at = keys.indexOf(key);
  const stays = (other: string): boolean => !isHidden.has(other);
  return keys.slice(at + 1).find(stays) ?? keys.slice(0, Math.max(0, at)).findLast(stays) ?? null;
}

function unhideJobs(jobs: readonly Job[]): void {
  if (jobs.length === 0) return;
  const keys = jobs.map(({ key }) => key);
  forgetDeleted(keys);
  list.unhide(keys);
  applyChanged(jobs);
  // They were shown before. Jobs that came meanwhile still wait.
  list.show(keys);
  changed();
  // Only the engine knows whether they match words, and where jobs that were on no loaded page belong.
  if (needsEngine(useJobs.getState().filter) || jobs.some(({ key }) => list.get(key) === undefined))
    void useJobs.getState().reload();
}

/** Whether the user has not seen how the job ended. An active job has nothing to see yet: it may still fail. */
export function hasNews(job: Job): boolean {
  return !job.isSeen && (!isLive(job) || job.pendingStream !== undefined);
}

function markSeen(keys: readonly string[]): void {
  const unseen = keys.flatMap((key) => {
    const job = list.get(key);
    return job !== undefined && hasNews(job) ? [{ ...job, isSeen: true }] : [];
  });
  if (unseen.length === 0) return;
  applyOwn(unseen);
  void call('job:markSeen', { keys: unseen.map(({ key }) => key) }).then((marked) => {
    if (marked.ok) return;
    // The counts still have them as unseen. What the engine reported since is kept.
    applyOwn(unseen.filter((job) => list.get(job.key) === job).map((job) => ({ ...job, isSeen: false })));
    changed();
  });
}

/** Applies what this window does to jobs that are listed. */
function applyOwn(jobs: readonly Job[]): void {
  list.apply(jobs, pages.filterOfRows(useJobs.getState().filter), startOfDay(engineNow()));
}

/** Starts listening. Called once. Changes are gathered and applied once a frame. */
export function listenToJobs(): void {
  let gathered = new Map<string, Job>();
  let removed: string[] = [];
  let batches = new Map<string, Batch>();
  let counted: AllJobCounts | null = null;
  let isScheduled = false;
  const flush = (): void => {
    if (!isScheduled) return;
    isScheduled = false;
    const jobs = [...gathered.values()];
    const removedKeys = removed;
    const revision = counted?.revision;
    const changedBatches = [...batches.values()];
    const isNewBatch = isAnyNew(changedBatches, currentConnection(useSession.getState())?.id ?? '');
    gathered = new Map();
    removed = [];
    batches = new Map();
    // All in one step, so that the list, the batches and the counts agree in every frame.
    if (counted !== null) {
      takeCounts(counted);
      takeBatches({ batches: changedBatches, revision: counted.revision });
    }
    if (removedKeys.length > 0) {
      dropPending(removedKeys);
      useJobs.getState().hide(removedKeys);
    }
    useJobs.getState().apply(jobs, revision);
    // The rows of a new batch are in the history. Only the newest come with the event.
    if (isNewBatch) void useJobs.getState().reload();
  };
  applyReported = flush;
  on('bin:changed', ({ restoredKeys, deletedKeys }) => {
    forgetDeletedForGood(deletedKeys);
    if (restoredKeys.length === 0) return;
    // What was reported before, such as their deletion.
    flush();
    list.unhide(restoredKeys);
    forgetDeleted(restoredKeys);
    readRestoredSoon();
  });
  on('job:changed', ({ jobs, removedKeys, batches: changedBatches, counts }) => {
    for (const job of jobs) gathered.set(job.key, job);
    for (const key of removedKeys) gathered.delete(key);
    removed.push(...removedKeys);
    for (const batch of changedBatches) batches.set(batch.id, batch);
    counted = counts;
    if (isScheduled) return;
    isScheduled = true;
    if (document.hidden) setTimeout(flush, 100);
    else requestAnimationFrame(flush);
  });
  // A window that is hidden before its next frame draws that frame only when it is shown again.
  document.addEventListener('visibilitychange', flush);
}
