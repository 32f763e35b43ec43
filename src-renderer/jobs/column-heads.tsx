import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { classes } from '../design/class-names.ts';
import { Splitter } from '../design/splitter.tsx';
import { chooseSettings, useSession } from '../data/session-store.ts';
import { setSort } from '../data/jobs-store.ts';
import type { RowForm } from './job-row.tsx';
import { columnBounds, gridOf, nextSort, tableColumns, withColumn, type ShownColumn } from './table-columns.ts';
import styles from './jobs-pane.module.css';

interface ColumnHeadsProps {
  form: RowForm;
  columns: readonly ShownColumn[];
  onResize: (column: ShownColumn['column'], widthPx: number) => void;
}

/** The heads over the rows: in the table each is a button that puts the list in order, with an edge to drag. */
export function ColumnHeads({ form, columns, onResize }: ColumnHeadsProps) {
  if (form === 'compact') return null;
  if (form === 'comfortable') {
    return (
      <div className={classes(styles.columns, styles.comfortable)} aria-hidden="true">
        <span />
        <span>Job</span>
        <span className={styles.right}>Wait</span>
        <span className={styles.right}>
          Execution
          <P95 />
        </span>
        <span className={styles.right}>Age</span>
      </div>
    );
  }
  return (
    <div
      role="table"
      aria-label="Columns of the list"
      className={classes(styles.columns, styles.table)}
      style={{ gridTemplateColumns: gridOf(columns) }}
    >
      <div role="row" className={styles.headRow}>
        <span role="columnheader">
          <span className="visually-hidden">Status</span>
        </span>
        {columns.map((column) => (
          <ColumnHead key={column.column} shown={column} onResize={(px) => onResize(column.column, px)} />
        ))}
      </div>
    </div>
  );
}

function P95() {
  return (
    <span className={styles.p95} title="The tick on each bar: 95th percentile of that endpoint's run times">
      p95
    </span>
  );
}

function ColumnHead({ shown, onResize }: { shown: ShownColumn; onResize: (px: number) => void }) {
  const sort = useSession((state) => state.settings.listSort);
  const facts = tableColumns[shown.column];
  const isSorted = sort !== null && sort.column === facts.sort;
  const isNewestFirst = sort === null && shown.column === 'age';
  const order = isSorted ? (sort.isDescending ? 'descending' : 'ascending') : isNewestFirst ? 'descending' : undefined;
  const content: ReactNode = (
    <>
      <span className="trunc">{facts.title}</span>
      {isSorted && (sort.isDescending ? <ArrowDown size={11} /> : <ArrowUp size={11} />)}
    </>
  );
  return (
    <span role="columnheader" aria-sort={order} className={classes(styles.cell, facts.isFigure && styles.right)}>
      {facts.sort === null ? (
        content
      ) : (
        <button
          type="button"
          className={classes(styles.sortButton, isSorted && styles.sorted)}
          onClick={() => void setSort(nextSort(sort, shown.column))}
        >
          {content}
        </button>
      )}
      {shown.widthPx !== null && (
        <span className={styles.edge}>
          <Splitter
            label={`Width of ${facts.title}`}
            widthPx={shown.widthPx}
            {...columnBounds}
            onResize={onResize}
            onKeep={(widthPx) => {
              const { tableColumns: chosen } = useSession.getState().settings;
              void chooseSettings({ tableColumns: withColumn(chosen, shown.column, { widthPx }) });
            }}
          />
        </span>
      )}
    </span>
  );
}

/** Widths as they are being dragged, over those that are kept. */
export function useDraggedWidths(
  columns: readonly ShownColumn[],
): [columns: readonly ShownColumn[], resize: ColumnHeadsProps['onResize']] {
  const [dragged, setDragged] = useState<ShownColumn | null>(null);
  const kept = useSession((state) => state.settings.tableColumns);
  // What was dragged is kept by now.
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
