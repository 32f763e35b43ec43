import { useCallback, useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react';
import { create } from 'zustand';
import type { Batch } from '../../../src-preload/batch.ts';
import type { CostRate } from '../../../src-preload/cost.ts';
import { isLive, type Job } from '../../../src-preload/job.ts';
import { jsonColumnWidthBounds } from '../../../src-preload/bounds.ts';
import { useEndpointCost } from '../../costs/rates.ts';
import { useJobs } from '../../data/jobs-store.ts';
import { showRows } from '../../data/on-view.ts';
import { useSession } from '../../data/session-store.ts';
import { chooseSettings } from '../../data/change-settings.ts';
import { useShownOrder } from '../visible-keys.ts';
import { columnsOf, shownColumns, type BatchColumn, type BatchRow } from './batch-columns.ts';
import { countMoved, keptOrder, orderOf, type BatchSort } from './batch-order.ts';
import { readerOf } from './batch-readers.ts';
import type { ReadState } from './cells-reader.ts';

/** The order that was chosen for each batch in this window. */
const useSorts = create<{ sorts: ReadonlyMap<string, BatchSort> }>(() => ({ sorts: new Map() }));

/** The rows of a batch with all that its table and its images show. */
export interface BatchRows {
  batch: Batch;
  rows: ReadonlyMap<string, BatchRow>;
  /** The keys of the rows in the order shown. */
  order: readonly string[];
  sort: BatchSort;
  setSort: (sort: BatchSort) => void;
  /** How many rows would have another place if they were sorted now. */
  moved: number;
  sortAgain: () => void;
  columns: readonly BatchColumn[];
  shown: readonly BatchColumn[];
  rates: readonly CostRate[];
  reading: ReadState;
  retry: () => void;
  /** The rows on screen, whose cells are read before the others. */
  showFirst: (keys: readonly string[]) => void;
  /** How many rows the list has in all. */
  total: number;
  /** How many rows are not read yet: of the list or their cells. */
  unread: number;
  /** Nothing of the cells is read yet, so that it is not known which columns there are. */
  isFirst: boolean;
}

const noRates: readonly CostRate[] = [];

/** Reads all rows of the list, which are those of a batch, and the cells of each. */
export function useBatchRows(batch: Batch): BatchRows {
  const list = useJobs((state) => state.list);
  const hasMore = useJobs((state) => state.hasMore);
  const rates = useEndpointCost(batch.connectionId, batch.endpointId)?.rates ?? noRates;
  const reader = readerOf(batch.id);
  const reading = useSyncExternalStore(reader.subscribe, reader.state);
  const isFirst = reading.waiting !== 0 && reading.problem === null && reading.cells.size === 0;
  useEffect(() => {
    // The first cells do not wait for jobs that are not on screen.
    if (hasMore && !isFirst) void useJobs.getState().loadMore(true);
  }, [hasMore, list, isFirst]);
  const jobs = useMemo(() => [...list.live(), ...list.rest()].flatMap((key) => list.get(key) ?? []), [list]);
  useEffect(() => reader.want(jobs), [reader, jobs]);
  const [rowsOf] = useState(createRowsOf);
  const rows = useMemo(() => rowsOf(jobs, reading), [rowsOf, jobs, reading]);
  const all = useMemo(() => [...rows.values()], [rows]);
  // Thousands of rows are summed and sorted once a second while they change.
  const calm = useCalm(all, all.length > manyRows ? calmMs : 0);
  const columns = useMemo(() => columnsOf({ rows: calm, rates }), [calm, rates]);
  const choices = useSession((state) => state.settings.batchColumns);
  const shown = useMemo(
    () =>
      shownColumns(
        columns,
        choices.filter(({ endpointId }) => endpointId === batch.endpointId),
      ),
    [columns, choices, batch.endpointId],
  );
  const sort = useSorts((state) => state.sorts.get(batch.id) ?? null);
  const sorted = useMemo(() => orderOf(calm, sort, columns, rates), [calm, sort, columns, rates]);
  const total = useJobs((state) => (state.isTotalCut ? batch.total : state.total));
  const unlisted = hasMore ? Math.max(1, total - jobs.length) : 0;
  const unread = unlisted + (reading.waiting ?? jobs.length);
  const isComplete = !hasMore && reading.waiting === 0;
  const [order, sortAgain] = useStillOrder(sorted, sort, isComplete);
  const moved = useMemo(() => (sort === null ? 0 : countMoved(order, sorted)), [sort, order, sorted]);
  useEffect(() => {
    useShownOrder.setState({ keys: order });
    return () => useShownOrder.setState({ keys: null });
  }, [order]);
  const setSort = useCallback(
    (next: BatchSort) => useSorts.setState(({ sorts }) => ({ sorts: new Map([...sorts, [batch.id, next]]) })),
    [batch.id],
  );
  return {
    batch,
    rows,
    order,
    sort,
    setSort,
    moved,
    sortAgain,
    columns,
    shown,
    rates,
    reading,
    retry: reader.retry,
    showFirst: reader.showFirst,
    total: Math.max(total, jobs.length),
    unread,
    isFirst,
  };
}

/** Makes the rows. One whose job and cells are the same is the same object, so that it is not drawn again. */
function createRowsOf(): (jobs: readonly Job[], { cells }: ReadState) => ReadonlyMap<string, BatchRow> {
  let before: ReadonlyMap<string, BatchRow> = new Map();
  return (jobs, { cells }) => {
    const rowOf = (job: Job): BatchRow => {
      const former = before.get(job.key);
      const own = cells.get(job.key) ?? null;
      return former?.job === job && former.cells === own ? former : { job, cells: own };
    };
    before = new Map(jobs.map((job) => [job.key, rowOf(job)]));
    return before;
  };
}

const manyRows = 500;
const calmMs = 1_000;

/** A value that changes at most once in `everyMs`. With 0 it is the value itself. */
function useCalm<T>(value: T, everyMs: number): T {
  const [shown, setShown] = useState({ value, atMs: 0 });
  // It is what was shown last, once it changes less often: not what was first.
  if (everyMs === 0 && shown.value !== value) setShown({ value, atMs: 0 });
  const isBehind = everyMs > 0 && shown.value !== value;
  const show = useEffectEvent(() => setShown({ value, atMs: performance.now() }));
  useEffect(() => {
    if (!isBehind) return undefined;
    const timer = setTimeout(show, Math.max(0, shown.atMs + everyMs - performance.now()));
    return () => clearTimeout(timer);
  }, [isBehind, shown, everyMs]);
  return everyMs === 0 ? value : shown.value;
}

/**
 * The order in which rows were when they were last sorted: rows do not move while they change. It follows the first
 * reading, and a choice of another order.
 */
function useStillOrder(
  sorted: readonly string[],
  sort: BatchSort,
  isComplete: boolean,
): [order: readonly string[], sortAgain: () => void] {
  const [still, setStill] = useState({ order: sorted, sort, isSettled: false });
  const isOther = still.sort !== sort;
  // Rows that are still being read have no place yet.
  const follows = isOther || !still.isSettled || sort === null;
  const order = follows ? sorted : keptOrder(still.order, sorted);
  const isSettled = !isOther && (still.isSettled || isComplete);
  if (isOther || still.isSettled !== isSettled || !isSame(still.order, order)) setStill({ order, sort, isSettled });
  return [order, () => setStill({ order: sorted, sort, isSettled: true })];
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one === other || (one.length === other.length && one.every((key, at) => key === other[at]));
}

/** Shows or hides a column in batches of an endpoint. */
export function chooseColumn(endpointId: string, column: string, isShown: boolean): void {
  if (column.length > jsonColumnWidthBounds.maxColumnChars) return;
  void chooseSettings({ batchColumns: { endpointId, column, isShown } });
}

/** Shows the usual columns of an endpoint's batches. */
export function chooseUsualColumns(endpointId: string): void {
  void chooseSettings({ batchColumns: { endpointId, column: null } });
}

/** Reports which active rows are on screen, so that they are kept up to date. */
export function useWatchedRows(keys: readonly string[]): void {
  const list = useJobs((state) => state.list);
  const live = keys.filter((key) => {
    const job = list.get(key);
    return job !== undefined && isLive(job);
  });
  const shown = live.join(' ');
  useEffect(() => showRows(shown === '' ? [] : shown.split(' ')), [shown]);
  useEffect(() => () => showRows([]), []);
}
