import { BookmarkPlus, CloudAlert, SlidersHorizontal } from 'lucide-react';
import { useMemo } from 'react';
import type { JobSort } from '../../src-preload/history.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { BatchStrip } from '../batches/batch-strip.tsx';
import { openComposer } from '../navigation/composer-request.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { exportItems } from '../data/export-items.tsx';
import { isViewOn, mostSavedViews, useViewNameDialog } from '../navigation/saved-views.ts';
import { useFollow } from '../navigation/follow-store.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Menu, MenuEntries, type MenuEntry } from '../design/menu.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { chooseSettings, useCurrentConnection, useJobCounts, useSession } from '../data/session-store.ts';
import { BulkBar } from './bulk-bar.tsx';
import { ColumnHeads, useDraggedWidths } from './column-heads.tsx';
import { FilterBox } from './filter-box.tsx';
import type { RowForm } from './job-row.tsx';
import { JobListView, type RowMenu } from './job-list-view.tsx';
import { isReadByRow } from '../data/job-pages.ts';
import { setSort, useJobs } from '../data/jobs-store.ts';
import { KeyRefused } from './key-refused.tsx';
import { NoMatches } from './no-matches.tsx';
import { activeOf, sumOf } from './section-summary.ts';
import { SandboxExamples } from './sandbox-examples.tsx';
import { columnNames, isChosen, shownColumns, sortTitle, tableColumns, withColumn } from './table-columns.ts';
import { totalText } from './total-text.ts';
import styles from './jobs-pane.module.css';

interface JobsPaneProps {
  form: RowForm;
  /** Its width, which decides how many columns fit. */
  widthPx: number;
  menuOf: RowMenu;
  className?: string | undefined;
}

/** The list with its filter, heads, states and bulk bar. */
export function JobsPane({ form, widthPx, menuOf, className }: JobsPaneProps) {
  return (
    <section className={classes(styles.pane, className)} aria-label="Jobs">
      <div className={styles.head}>
        <FilterBox />
        <SaveView />
        <ListMenu form={form} />
      </div>
      <BatchStrip />
      <ListBody form={form} widthPx={widthPx} menuOf={menuOf} />
      <BulkBar />
    </section>
  );
}

function ListBody({ form, widthPx, menuOf }: Omit<JobsPaneProps, 'className'>) {
  const chosen = useSession((state) => state.settings.tableColumns);
  const kept = useMemo(() => shownColumns(chosen, widthPx), [chosen, widthPx]);
  const [columns, resize] = useDraggedWidths(kept);
  const status = useJobs((state) => state.status);
  const hasNoRows = useJobs((state) => state.list.live().length === 0 && state.list.rest().length === 0);
  const shownFilter = useJobs((state) => state.shownFilter);
  // The rows of a batch arrive a moment after the batch.
  const isEmpty = sumOf(activeOf(useJobCounts(), shownFilter)) === 0 && hasNoRows;
  const isPicking = useJobs((state) => state.pickedKeys.size > 0);
  const isFiltered = useJobs((state) => state.query.tokens.length > 0 || state.query.text !== '');
  if (status === 'failed' && isEmpty) return <ListProblem />;
  if (status === 'first')
    return <SkeletonRows count={form === 'comfortable' ? 8 : 12} height={form === 'comfortable' ? 52 : 30} />;
  if (isEmpty && isFiltered) return <NoMatches />;
  if (isEmpty) return <NothingHere />;
  return (
    <>
      <ColumnHeads form={form} columns={columns} onResize={resize} />
      <JobListView form={form} columns={columns} menuOf={menuOf} />
      {isPicking && <div className={styles.fade} />}
    </>
  );
}

function ListMenu({ form }: { form: RowForm }) {
  return (
    <Menu align="end" minWidth={170} trigger={<IconButton label="List" icon={<SlidersHorizontal />} />}>
      <ListEntries form={form} />
    </Menu>
  );
}

function ListEntries({ form }: { form: RowForm }) {
  const sort = useSession((state) => state.settings.listSort);
  const chosen = useSession((state) => state.settings.tableColumns);
  const density = useSession((state) => state.settings.density);
  const filter = useJobs((state) => state.filter);
  const total = useJobs((state) => state.total);
  const isTotalCut = useJobs((state) => state.isTotalCut);
  const items: readonly MenuEntry[] = [
    { kind: 'label', label: 'Density' },
    {
      kind: 'item',
      label: 'Comfortable',
      isChosen: density === 'comfortable',
      onSelect: () => void chooseSettings({ density: 'comfortable' }),
    },
    {
      kind: 'item',
      label: 'Compact',
      isChosen: density === 'compact',
      onSelect: () => void chooseSettings({ density: 'compact' }),
    },
    { kind: 'separator' },
    ...sortItems(sort, isReadByRow(filter)),
    ...(form === 'table' ? columnItems(chosen) : []),
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
  const ask = useViewNameDialog((state) => state.ask);
  const isNarrowed = query.tokens.length > 0 || query.text.trim() !== '';
  if (!isNarrowed || views.length >= mostSavedViews || views.some((view) => isViewOn(view, place, query, sort)))
    return null;
  return <IconButton label="Save view" icon={<BookmarkPlus />} onClick={() => ask({ kind: 'new' })} />;
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
    { kind: 'label', label: 'Order' },
    item(isByRow ? 'By row' : 'Newest first', null),
    ...[...offered, ...(isOther ? [sort] : [])].map((one) => item(sortTitle(one), one)),
  ];
}

/** The table columns that can be hidden. */
function columnItems(chosen: Settings['tableColumns']): MenuEntry[] {
  return [
    { kind: 'separator' },
    { kind: 'label', label: 'Columns' },
    ...columnNames
      .filter((column) => column !== 'title')
      .map((column): MenuEntry => ({
        kind: 'item',
        label: tableColumns[column].title,
        isChosen: isChosen(chosen, column),
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
      title="Could not read the history"
      text={problem?.message}
      actions={
        <Button size="lg" onClick={() => void useJobs.getState().reload()}>
          Try again
        </Button>
      }
    />
  );
}

const nothing = {
  active: { title: 'Nothing is running', text: 'Jobs that are waiting, running or being sent appear here.' },
  'finished-today': { title: 'Nothing finished today', text: 'Jobs that end today appear here with their results.' },
  failed: { title: 'No failed jobs', text: 'Jobs that fail or reach a limit appear here, with their errors.' },
  starred: { title: 'No starred jobs', text: 'Press S on a job to star it.' },
} as const;

function NothingHere() {
  const place = useJobs((state) => state.place);
  const connection = useCurrentConnection();
  if (connection?.state.kind === 'key-refused' && place.view === 'all') return <KeyRefused connection={connection} />;
  if (place.view !== 'all') return <EmptyState {...nothing[place.view]} />;
  return (
    <EmptyState
      title={place.endpointId === null ? 'No jobs yet' : 'No jobs on this endpoint yet'}
      text="Jobs you submit or track appear here and are saved on this computer."
      actions={
        <>
          <Button
            variant="primary"
            size="lg"
            keys={['N']}
            disabledReason={connection === null ? 'Add a connection first' : undefined}
            onClick={() => openComposer({ endpointId: place.endpointId })}
          >
            New job
          </Button>
          {connection !== null && (
            <Button size="lg" onClick={() => useFollow.getState().open()}>
              Track a job by id
            </Button>
          )}
        </>
      }
    >
      {connection?.isSandbox === true && place.endpointId === null && <SandboxExamples connection={connection} />}
    </EmptyState>
  );
}
