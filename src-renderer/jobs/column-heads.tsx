import { ArrowDown, ArrowUp, CircleDashed, EyeOff, ListFilter, MoveHorizontal } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatMeasured } from '../../src-preload/format.ts';
import type { JobSort } from '../../src-preload/history.ts';
import { classes } from '../design/class-names.ts';
import { contentPx } from '../design/content-width.ts';
import { HeadMenuButton } from '../design/menu/head-menu-button.tsx';
import { ContextMenu, type MenuEntry } from '../design/menu/menu.tsx';
import { Splitter } from '../design/splitter.tsx';
import { Tooltip } from '../design/tooltip.tsx';
import { useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';
import { setSort, useJobs } from '../data/jobs-store.ts';
import { fillFilterBox } from './fill-filter-box.ts';
import { runsForTick } from './job-figures.ts';
import { useListRunTimes } from './list-run-times.ts';
import { columnP95Ms, slowerThan } from './p95-rule.ts';
import type { RowForm } from './row-parts.tsx';
import { columnBounds, gridOf, nextSort, tableColumns, type ShownColumn, type TableColumn } from './table-columns.ts';
import { columnText, columnTitles, orderNames } from '../messages/jobs/columns.ts';
import styles from './jobs-pane.module.css';

interface ColumnHeadsProps {
  form: RowForm;
  columns: readonly ShownColumn[];
  onResize: (column: ShownColumn['column'], widthPx: number) => void;
}

/** The heads over the rows. In the table each is a button that sorts the list, with an edge to drag. */
export function ColumnHeads({ form, columns, onResize }: ColumnHeadsProps) {
  if (form === 'compact') return null;
  if (form === 'comfortable') {
    return (
      <div className={classes(styles.columns, styles.comfortable)} aria-hidden="true">
        <span />
        <span>{columnTitles.title}</span>
        <span className={styles.right}>{columnTitles.wait}</span>
        <span className={styles.right}>
          {columnTitles.execution}
          <P95 />
        </span>
        <span className={styles.right}>{columnTitles.age}</span>
      </div>
    );
  }
  return (
    <div
      role="table"
      aria-label={columnText.heads}
      className={classes(styles.columns, styles.table)}
      style={{ gridTemplateColumns: gridOf(columns) }}
    >
      <div role="row" className={styles.headRow}>
        <StatusHead />
        {columns.map((column) => (
          <ColumnHead key={column.column} shown={column} onResize={(px) => onResize(column.column, px)} />
        ))}
      </div>
    </div>
  );
}

/** The head over the glyphs, which sorts by state. There is room for a sign only. */
function StatusHead() {
  const sort = useSession((state) => state.settings.listSort);
  const isSorted = sort?.column === 'status';
  return (
    <ContextMenu items={statusMenu(sort)}>
      <span
        role="columnheader"
        aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
        className={styles.cell}
      >
        <Tooltip text={columnText.sortByStatus} side="top">
          <button
            type="button"
            aria-label={columnText.status}
            className={classes(styles.sortButton, isSorted && styles.sorted)}
            onClick={() => void setSort(nextSort(sort, 'status'))}
          >
            {isSorted ? (
              sort.isDescending ? (
                <ArrowDown size={11} />
              ) : (
                <ArrowUp size={11} />
              )
            ) : (
              <CircleDashed size={12} />
            )}
          </button>
        </Tooltip>
      </span>
    </ContextMenu>
  );
}

/** The context menu of the glyphs' column. */
function statusMenu(sort: JobSort | null): MenuEntry[] {
  return [
    { kind: 'label', label: columnText.status },
    ...[false, true].map((isDescending): MenuEntry => ({
      kind: 'item',
      label: capitalised(orderNames.text[isDescending ? 1 : 0]),
      isChosen: sort?.column === 'status' && sort.isDescending === isDescending,
      onSelect: () => void setSort({ column: 'status', isDescending }),
    })),
    { kind: 'separator' },
    {
      kind: 'item',
      label: columnText.filterBy('status:'),
      icon: <ListFilter />,
      onSelect: () => fillFilterBox('status:'),
    },
  ];
}

function P95() {
  return (
    <span className={styles.p95} title={columnText.p95Hint}>
      {columnText.p95}
    </span>
  );
}

function ColumnHead({ shown, onResize }: { shown: ShownColumn; onResize: (px: number) => void }) {
  const sort = useSession((state) => state.settings.listSort);
  const facts = tableColumns[shown.column];
  const title = columnTitles[shown.column];
  const isSorted = sort !== null && sort.column === facts.sort;
  const p95Ms = columnP95Ms(facts.sort, useListRunTimes());
  const isByRow = useJobs((state) => state.list.isOldestFirst());
  const isNewestFirst = sort === null && shown.column === 'age' && !isByRow;
  const order = isSorted ? (sort.isDescending ? 'descending' : 'ascending') : isNewestFirst ? 'descending' : undefined;
  const content: ReactNode = (
    <>
      <span className="trunc">{title}</span>
      {isSorted && (sort.isDescending ? <ArrowDown size={11} /> : <ArrowUp size={11} />)}
    </>
  );
  return (
    <ContextMenu items={columnMenu(shown.column, sort, p95Ms)}>
      <span
        role="columnheader"
        aria-sort={order}
        data-column={shown.column}
        className={classes(styles.cell, facts.isFigure && styles.right)}
      >
        <button
          type="button"
          className={classes(styles.sortButton, isSorted && styles.sorted)}
          onClick={() => void setSort(nextSort(sort, shown.column))}
        >
          {content}
        </button>
        <HeadMenuButton column={title} side={facts.isFigure ? 'start' : 'end'} />
        {shown.widthPx !== null && (
          <span className={styles.edge}>
            <Splitter
              label={columnText.width(title)}
              widthPx={shown.widthPx}
              {...columnBounds}
              onResize={onResize}
              onKeep={(widthPx) => keepColumn(shown.column, { widthPx })}
              onFit={() => keepColumn(shown.column, { widthPx: fittingPx(shown.column) })}
            />
          </span>
        )}
      </span>
    </ContextMenu>
  );
}

/** The context menu of a column. `p95Ms` is that of its times, if they are of one endpoint. */
export function columnMenu(column: TableColumn, sort: JobSort | null, p95Ms: number | null): MenuEntry[] {
  const { sort: by } = tableColumns[column];
  const order = (isDescending: boolean): MenuEntry[] => {
    // Newest first is the default order.
    const wanted = by === 'created' && isDescending ? null : { column: by, isDescending };
    const isOn = sort?.column === wanted?.column && sort?.isDescending === wanted?.isDescending;
    return [
      {
        kind: 'item',
        label: orderName(column, isDescending),
        isChosen: isOn,
        onSelect: () => void setSort(wanted),
      },
    ];
  };
  return [
    { kind: 'label', label: columnTitles[column] },
    ...order(true),
    ...order(false),
    ...filterEntries(column, p95Ms),
    ...(column === 'title'
      ? []
      : [
          { kind: 'separator' as const },
          {
            kind: 'item' as const,
            label: columnText.fit,
            icon: <MoveHorizontal />,
            onSelect: () => keepColumn(column, { widthPx: fittingPx(column) }),
          },
          {
            kind: 'item' as const,
            label: columnText.hide,
            icon: <EyeOff />,
            onSelect: () => keepColumn(column, { isShown: false }),
          },
        ]),
  ];
}

/** What filters by a column: its slow jobs, and the beginning of each of its tokens for the user to complete. */
function filterEntries(column: TableColumn, p95Ms: number | null): MenuEntry[] {
  const { tokens = [] } = tableColumns[column];
  if (tokens.length === 0) return [];
  const isTime = column === 'execution' || column === 'wait';
  return [
    { kind: 'separator' },
    ...(isTime
      ? [
          {
            kind: 'item' as const,
            label: columnText.onlyOverP95,
            note: p95Ms === null ? undefined : formatMeasured(p95Ms),
            icon: <ListFilter />,
            disabledReason: p95Ms === null ? columnText.noCommonP95(runsForTick) : undefined,
            onSelect: () => p95Ms !== null && fillFilterBox(`${slowerThan(column, p95Ms)} `),
          },
        ]
      : []),
    ...tokens.map((token) => ({
      kind: 'item' as const,
      label: columnText.filterBy(token),
      icon: <ListFilter />,
      onSelect: () => fillFilterBox(token),
    })),
  ];
}

/** `Longest first`. */
function orderName(column: TableColumn, isDescending: boolean): string {
  return capitalised(tableColumns[column].orders[isDescending ? 1 : 0]);
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function keepColumn(column: TableColumn, change: { widthPx?: number | null; isShown?: boolean }): void {
  void chooseSettings({ tableColumns: { column, ...change } });
}

/** The width at which neither the visible rows of a column nor its head are cut off. */
function fittingPx(column: TableColumn): number | null {
  const heads = [...document.querySelectorAll('[data-column]')];
  const at = heads.findIndex((head) => head.getAttribute('data-column') === column);
  // Before the columns are the glyph and, in some rows, a dot.
  const cells = [...document.querySelectorAll('[data-cells]')].map(
    ({ children }) => children[children.length - heads.length + at],
  );
  const widths = [...cells, heads[at]].map((element) => (element === undefined ? 0 : contentPx(element)));
  const widest = Math.max(0, ...widths);
  return widest === 0 ? null : Math.min(columnBounds.maxPx, Math.max(columnBounds.minPx, Math.ceil(widest) + 4));
}

/** Widths that are being dragged, and for the others the saved ones. */
export function useDraggedWidths(
  columns: readonly ShownColumn[],
): [columns: readonly ShownColumn[], resize: ColumnHeadsProps['onResize']] {
  const [dragged, setDragged] = useState<ShownColumn | null>(null);
  const kept = useSession((state) => state.settings.tableColumns);
  // The dragged width has been saved by now.
  const [former, setFormer] = useState(kept);
  if (former !== kept) {
    setFormer(kept);
    setDragged(null);
  }
  const drawn =
    dragged === null
      ? columns
      : columns.map((column) => (column.column === dragged.column ? { ...column, widthPx: dragged.widthPx } : column));
  return [drawn, (column, widthPx) => setDragged({ column, widthPx })];
}
