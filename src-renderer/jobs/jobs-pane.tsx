import { BookmarkPlus, CloudAlert, SlidersHorizontal } from 'lucide-react';
import { Suspense, useMemo } from 'react';
import type { JobSort } from '../../src-preload/history.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { BatchStrip } from '../batches/batch-strip.tsx';
import { useBatchView } from '../batches/batch-view.ts';
import { useBatch } from '../batches/batches.ts';
import { openComposer, useFollowDialog } from '../navigation/open-requests.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { lazyPart } from '../design/lazy-part.ts';
import { exportItems } from '../data/export-items.tsx';
import { isViewOn, maxSavedViews, useViewNameDialog } from '../navigation/saved-views.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Menu, MenuEntries, type MenuEntry } from '../design/menu/menu.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { useListTotal } from '../data/job-counts.ts';
import { useCurrentConnection, useJobCounts, useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';
import { ColumnHeads, useDraggedWidths } from './column-heads.tsx';
import { FilterBox } from './filter-box.tsx';
import type { RowForm } from './row-parts.tsx';
import { JobListView, type RowMenu } from './job-list-view.tsx';
import type { FilterQuery } from '../data/parse-filter.ts';
import type { Place } from '../data/query-to-job-filter.ts';
import { useWhenReady } from '../design/use-pause.ts';
import { isReadByRow } from '../data/job-pages.ts';
import { setSort, useJobs } from '../data/jobs-store.ts';
import { isSameFilter } from '../data/job-matches-filter.ts';
import { KeyRefused } from './key-refused.tsx';
import { activeOf, sumOf } from './section-summary.ts';
import { SandboxExamples } from './sandbox-examples.tsx';
import {
  columnNames,
  columnsOfOneValue,
  isChosen,
  shownColumns,
  sortTitle,
  withColumn,
  type TableColumn,
} from './table-columns.ts';
import { commonText } from '../messages/common.ts';
import { columnText, columnTitles } from '../messages/jobs/columns.ts';
import { emptyViewText, jobsPaneText, noJobsText, totalText } from '../messages/jobs/list.ts';
import styles from './jobs-pane.module.css';

const NoMatches = lazyPart(async () => (await import('./no-matches.tsx')).NoMatches);
const BatchRowsView = lazyPart(async () => (await import('./batch-table/batch-rows-view.tsx')).BatchRowsView);
const BatchRowsAhead = lazyPart(async () => (await import('./batch-table/batch-rows-ahead.tsx')).BatchRowsAhead);
const BulkBar = lazyPart(async () => (await import('./bulk-bar.tsx')).BulkBar);

interface JobsPaneProps {
  form: RowForm;
  /** Its width, which decides how many columns fit. */
  widthPx: number;
  menuOf: RowMenu;
  className?: string | undefined;
}

/** The list with its filter, heads, states and bulk bar. */
export function JobsPane({ form, widthPx, menuOf, className }: JobsPaneProps) {
  // The batch of the rows on screen: until its own rows are read, its strip does not push away what is there.
  const batchId = useJobs(({ status, filter, shownFilter }) =>
    // If another place could not be read, nothing of the former one is shown, nor may anything be done with it.
    status === 'failed' && !isSameFilter(filter, shownFilter) ? null : (shownFilter?.batchId ?? null),
  );
  const isPicking = useJobs((state) => state.pickedKeys.size > 0);
  return (
    <section className={classes(styles.pane, className)} aria-label={jobsPaneText.jobs}>
      <div className={styles.head}>
        <FilterBox />
        <SaveView />
        <ListMenu form={form} />
      </div>
      {batchId !== null && <BatchStrip batchId={batchId} />}
      <ListBody form={form} widthPx={widthPx} menuOf={menuOf} />
      <Suspense fallback={null}>{isPicking && <BulkBar />}</Suspense>
    </section>
  );
}

function ListBody({ form, widthPx, menuOf }: Omit<JobsPaneProps, 'className'>) {
  const chosen = useSession((state) => state.settings.tableColumns);
  const status = useJobs((state) => state.status);
  const hasNoRows = useJobs((state) => state.list.live().length === 0 && state.list.rest().length === 0);
  const shownFilter = useJobs((state) => state.shownFilter);
  const kept = useMemo(
    () => shownColumns(chosen, widthPx, columnsOfOneValue(shownFilter)),
    [chosen, widthPx, shownFilter],
  );
  const [columns, resize] = useDraggedWidths(kept);
  // The rows of a batch arrive a moment after the batch.
  const isEmpty = sumOf(activeOf(useJobCounts(), shownFilter)) === 0 && hasNoRows;
  const isPicking = useJobs((state) => state.pickedKeys.size > 0);
  const place = useJobs((state) => state.place);
  const query = useJobs((state) => state.query);
  const wanted = useMemo(() => ({ place, query }), [place, query]);
  // What is on screen until the rows of another filter are read says nothing of that filter.
  const isOfFormer = !useJobs((state) => isSameFilter(state.filter, shownFilter));
  const asked = useWhenReady(wanted, !isOfFormer, isOtherQuestion);
  const batch = useBatch(shownFilter?.batchId ?? null);
  const view = useBatchView(batch?.endpointId ?? null);
  if (status === 'failed' && (isEmpty || isOfFormer)) return <ListProblem />;
  if (status === 'first' || (isEmpty && isOfFormer && asked === wanted))
    return (
      <SkeletonRows
        count={form === 'comfortable' ? 8 : 12}
        height={form === 'comfortable' ? 52 : 30}
        isDrawn={status !== 'first'}
      />
    );
  if (isEmpty && isNarrowed(asked.query))
    return (
      <Suspense fallback={null}>
        <NoMatches place={asked.place} query={asked.query} />
      </Suspense>
    );
  if (isEmpty) return <NothingHere place={asked.place} />;
  if (batch !== null && view !== 'list')
    return (
      <Suspense fallback={null}>
        <BatchRowsView key={batch.id} batch={batch} view={view} menuOf={menuOf} />
      </Suspense>
    );
  return (
    <>
      <ColumnHeads form={form} columns={columns} onResize={resize} />
      <JobListView form={form} columns={columns} menuOf={menuOf} />
      <Suspense fallback={null}>{batch !== null && <BatchRowsAhead key={batch.id} batchId={batch.id} />}</Suspense>
      {isPicking && <div className={styles.fade} />}
    </>
  );
}

/** What the list was asked for. */
interface Question {
  place: Place;
  query: FilterQuery;
}

function isOtherQuestion(shown: Question, next: Question): boolean {
  return shown !== next;
}

function isNarrowed({ tokens, text }: FilterQuery): boolean {
  return tokens.length > 0 || text.trim() !== '';
}

function ListMenu({ form }: { form: RowForm }) {
  return (
    <Menu align="end" minWidth={170} trigger={<IconButton label={jobsPaneText.menu} icon={<SlidersHorizontal />} />}>
      <ListEntries form={form} />
    </Menu>
  );
}

function ListEntries({ form }: { form: RowForm }) {
  const sort = useSession((state) => state.settings.listSort);
  const chosen = useSession((state) => state.settings.tableColumns);
  const density = useSession((state) => state.settings.density);
  const filter = useJobs((state) => state.filter);
  const { total, isTotalCut } = useListTotal();
  const items: readonly MenuEntry[] = [
    { kind: 'label', label: jobsPaneText.density },
    {
      kind: 'item',
      label: jobsPaneText.comfortable,
      isChosen: density === 'comfortable',
      onSelect: () => void chooseSettings({ density: 'comfortable' }),
    },
    {
      kind: 'item',
      label: jobsPaneText.compact,
      isChosen: density === 'compact',
      onSelect: () => void chooseSettings({ density: 'compact' }),
    },
    { kind: 'separator' },
    ...sortItems(sort, isReadByRow(filter)),
    ...(form === 'table' ? columnItems(chosen, columnsOfOneValue(filter)) : []),
    ...(total === 0
      ? []
      : ([
          { kind: 'separator' },
          { kind: 'label', label: totalText({ total, isTotalCut }) },
          ...exportItems({ kind: 'filter', filter, sort }),
        ] as const)),
  ];
  return <MenuEntries items={items} />;
}

/** Offered if the list is filtered in a way that is not saved as a view. */
function SaveView() {
  const place = useJobs((state) => state.place);
  const query = useJobs((state) => state.query);
  const sort = useSession((state) => state.settings.listSort);
  const views = useSession((state) => state.settings.savedViews);
  const setSubject = useViewNameDialog((state) => state.setSubject);
  if (!isNarrowed(query) || views.length >= maxSavedViews || views.some((view) => isViewOn(view, place, query, sort)))
    return null;
  return (
    <IconButton label={jobsPaneText.saveView} icon={<BookmarkPlus />} onClick={() => setSubject({ kind: 'new' })} />
  );
}

/** The orders of the list, in all its forms. */
function sortItems(sort: JobSort | null, isByRow: boolean): MenuEntry[] {
  const item = (label: string, wanted: JobSort | null): MenuEntry => ({
    kind: 'item',
    label,
    isChosen: sort?.column === wanted?.column && sort?.isDescending === wanted?.isDescending,
    onSelect: () => void setSort(wanted),
  });
  const offered = [
    { column: 'created', isDescending: false },
    { column: 'execution', isDescending: true },
    { column: 'wait', isDescending: true },
    { column: 'cost', isDescending: true },
    { column: 'title', isDescending: false },
    { column: 'endpoint', isDescending: false },
    { column: 'status', isDescending: false },
  ] as const;
  const isOther = sort !== null && !offered.some((one) => sortTitle(one) === sortTitle(sort));
  return [
    { kind: 'label', label: jobsPaneText.order },
    item(isByRow ? jobsPaneText.byRow : jobsPaneText.newestFirst, null),
    ...[...offered, ...(isOther ? [sort] : [])].map((one) => item(sortTitle(one), one)),
  ];
}

/** The table columns that can be hidden. */
function columnItems(chosen: Settings['tableColumns'], ofOneValue: readonly TableColumn[]): MenuEntry[] {
  return [
    { kind: 'separator' },
    { kind: 'label', label: jobsPaneText.columns },
    ...columnNames
      .filter((column) => column !== 'title')
      .map((column): MenuEntry => ({
        kind: 'item',
        label: columnTitles[column],
        isChosen: isChosen(chosen, column),
        ...(isChosen(chosen, column) && ofOneValue.includes(column) && { note: columnText.sameInAll }),
        onSelect: () =>
          void chooseSettings({ tableColumns: withColumn(chosen, column, { isShown: !isChosen(chosen, column) }) }),
      })),
  ];
}

function ListProblem() {
  const problem = useJobs((state) => state.problem);
  return (
    <EmptyState
      art={<CloudAlert className={styles.art} size={28} />}
      title={jobsPaneText.couldNotRead}
      text={problem?.message}
      actions={
        <Button size="lg" onClick={() => void useJobs.getState().reload()}>
          {commonText.tryAgain}
        </Button>
      }
    />
  );
}

function NothingHere({ place }: { place: Place }) {
  const connection = useCurrentConnection();
  if (connection?.state.kind === 'key-refused' && place.view === 'all') return <KeyRefused connection={connection} />;
  if (place.view !== 'all') return <EmptyState {...emptyViewText[place.view]} />;
  return (
    <EmptyState
      title={place.endpointId === null ? noJobsText.title : noJobsText.titleOfEndpoint}
      text={noJobsText.hint}
      actions={
        <>
          <Button
            variant="primary"
            size="lg"
            keys={['N']}
            disabledReason={connection === null ? commonText.addConnectionFirst : undefined}
            onClick={() => openComposer({ endpointId: place.endpointId })}
          >
            {commonText.newJob}
          </Button>
          {connection !== null && (
            <Button size="lg" onClick={() => useFollowDialog.getState().open()}>
              {noJobsText.track}
            </Button>
          )}
        </>
      }
    >
      {connection?.isSandbox === true && place.endpointId === null && <SandboxExamples connection={connection} />}
      {connection?.isSandbox === false && <p className={styles.hint}>{noJobsText.paste}</p>}
    </EmptyState>
  );
}
