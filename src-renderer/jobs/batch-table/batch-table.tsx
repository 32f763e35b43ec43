import { Maximize2 } from 'lucide-react';
import { memo, useRef, type CSSProperties, type KeyboardEvent, type MouseEvent, type ReactElement } from 'react';
import { callOrReport } from '../../call-or-report.ts';
import { knownAtMs, useCertainUntil } from '../../data/certainty.ts';
import { useJobs } from '../../data/jobs-store.ts';
import { CheckMark } from '../../design/form/check-mark.tsx';
import { classes } from '../../design/class-names.ts';
import { SkeletonRows } from '../../design/skeleton.tsx';
import { ContextMenu } from '../../design/menu/menu.tsx';
import { statusTextClass } from '../../design/status-glyph.tsx';
import { fittingPx, useColumnWidths } from '../../json/column-widths.ts';
import { ColumnHead } from '../../json/json-table-header.tsx';
import { batchColumnText, batchTableText } from '../../messages/jobs/batch-table.ts';
import { statusWord } from '../../../src-preload/job.ts';
import type { RowMenu } from '../job-list-view.tsx';
import { briefContent, cellContent, cellEntries } from './batch-cells.tsx';
import type { BatchColumn, BatchRow } from './batch-columns.ts';
import { BatchFoot } from './batch-foot.tsx';
import { BatchProblem, MovedRows, outcomeNote } from './batch-notes.tsx';
import { chooseColumn, type BatchRows } from './use-batch-rows.ts';
import { useLines } from './use-lines.ts';
import styles from './batch-table.module.css';

const rowPx = 30;
const overscan = 6;

interface BatchTableProps {
  rows: BatchRows;
  menuOf: RowMenu;
}

/** The rows of a batch as a table: what varies in the inputs, facts of the jobs, and the fields of the outputs. */
export function BatchTable({ rows, menuOf }: BatchTableProps) {
  if (rows.isFirst) return <SkeletonRows count={12} height={rowPx} />;
  return (
    <div className={styles.whole}>
      <BatchProblem rows={rows} />
      <MovedRows rows={rows} />
      <Grid rows={rows} menuOf={menuOf} />
      <BatchFoot rows={rows} />
    </div>
  );
}

function Grid({ rows: table, menuOf }: { rows: BatchRows; menuOf: RowMenu }) {
  const { batch, order, rows, shown, columns } = table;
  const frame = useRef<HTMLDivElement>(null);
  const widths = useColumnWidths(batch.endpointId);
  const widthsPx = shown.map((column) => widths.widthOf(column.id) ?? usualWidthPx(column));
  const gridTemplateColumns = templateOf(widthsPx, `${batch.total}`.length);
  const fit = (at: number): void => {
    const id = shown[at]?.id;
    if (id !== undefined && frame.current !== null) widths.keep(id, fittingPx(frame.current, at));
  };
  const sortAt = shown.findIndex(({ id }) => id === table.sort?.column);
  const menu = (target: Element) => {
    const key = target.closest('[data-key]')?.getAttribute('data-key') ?? null;
    if (key === null) return [];
    const column = columns.find(({ id }) => id === target.closest('[data-column]')?.getAttribute('data-column'));
    return [...cellEntries(column, rows.get(key), table.rates), ...menuOf(key, null)];
  };
  const head = (
    <div className={styles.header} role="rowgroup" onKeyDown={keepHeadKeys}>
      <GroupNames shown={shown} gridTemplateColumns={gridTemplateColumns} />
      <div role="row" aria-rowindex={1} className={styles.headRow} style={{ gridTemplateColumns }}>
        <span role="columnheader" className={styles.corner}>
          {batchColumnText.row}
        </span>
        {shown.map((column, at) => (
          <ColumnHead
            key={column.id}
            column={at}
            at={at}
            widthPx={widthsPx[at] ?? 0}
            of={{
              key: column.id,
              name: column.title,
              isFigure: column.isFigure,
              facts: column.summary,
              histogram: column.histogram,
            }}
            widths={widths}
            sort={
              sortAt === -1 || table.sort === null ? null : { column: sortAt, isDescending: table.sort.isDescending }
            }
            onSort={(sort) => {
              const id = sort === null ? undefined : shown[sort.column]?.id;
              table.setSort(sort === null || id === undefined ? null : { column: id, isDescending: sort.isDescending });
            }}
            onHide={
              shown.length === 1 ? null : (place) => chooseColumn(batch.endpointId, shown[place]?.id ?? '', false)
            }
            onFit={fit}
            unsorted={batchTableText.rowOrder}
          />
        ))}
      </div>
    </div>
  );
  return (
    <ContextMenu items={menu}>
      <div ref={frame} className={styles.frame}>
        <Rows {...{ order, rows, shown, gridTemplateColumns, head }} showFirst={table.showFirst} />
      </div>
    </ContextMenu>
  );
}

interface RowsProps
  extends Pick<BatchRows, 'order' | 'rows' | 'shown' | 'showFirst'>, Pick<CSSProperties, 'gridTemplateColumns'> {
  /** Above the rows. While these scroll, it stays the same element and is not drawn again. */
  head: ReactElement;
}

function Rows({ order, rows, shown, showFirst, gridTemplateColumns, head }: RowsProps) {
  const selectedKey = useJobs((state) => state.selectedKey);
  const pickedKeys = useJobs((state) => state.pickedKeys);
  const { scroller, content, heightPx, onScroll, drawn, isFlying, press, onFocus } = useLines({
    order,
    perLine: 1,
    linePx: rowPx,
    overscan,
    showFirst,
  });
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="grid"
      aria-label={batchTableText.table}
      aria-rowcount={order.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={
        selectedKey !== null && drawn.some(({ key }) => key === selectedKey) ? rowId(selectedKey) : undefined
      }
      tabIndex={0}
      data-job-list
      onScroll={onScroll}
      onFocus={onFocus}
    >
      {head}
      <div ref={content} className={styles.rows} role="rowgroup" style={{ height: heightPx }}>
        {drawn.map(({ key, at, topPx, slot }) => {
          const row = rows.get(key);
          return row === undefined ? null : (
            <Row
              key={slot}
              {...{ row, shown, gridTemplateColumns, topPx }}
              place={at}
              isBrief={isFlying}
              isFocused={key === selectedKey}
              isPicked={pickedKeys.has(key)}
              onPress={press}
            />
          );
        })}
      </div>
    </div>
  );
}

const headKeys = /^(?:Enter| |Arrow\w+|Home|End|Page\w+)$/;

/** The buttons and edges of the heads have these keys for themselves. Elsewhere they are those of the rows. */
function keepHeadKeys(event: KeyboardEvent): void {
  if (headKeys.test(event.key)) event.stopPropagation();
}

/** The number of a row, its columns, and the rest of the width. */
function templateOf(widthsPx: readonly number[], digits: number): string {
  return [Math.max(64, digits * 8 + 48), ...widthsPx].map((px) => `${px}px`).join(' ');
}

const groupNames = {
  status: '',
  input: batchColumnText.input,
  job: batchColumnText.job,
  output: batchColumnText.output,
};

/** The names of the groups over their columns, where a reader sees whether a value was sent or came back. */
function GroupNames({
  shown,
  gridTemplateColumns,
}: { shown: readonly BatchColumn[] } & Pick<CSSProperties, 'gridTemplateColumns'>) {
  const groups = groupsOf(shown);
  return (
    <div className={styles.groups} style={{ gridTemplateColumns }} aria-hidden="true">
      <span className={styles.corner} />
      {groups.map(({ group, count }) => (
        <span key={group} className={styles.group} style={{ gridColumn: `span ${count}` }}>
          {groupNames[group]}
        </span>
      ))}
    </div>
  );
}

function groupsOf(shown: readonly BatchColumn[]): { group: BatchColumn['group']; count: number }[] {
  const groups: { group: BatchColumn['group']; count: number }[] = [];
  for (const { group } of shown) {
    const last = groups.at(-1);
    if (last?.group === group) last.count += 1;
    else groups.push({ group, count: 1 });
  }
  return groups;
}

/** Id of a row's element, for `aria-activedescendant`. */
function rowId(key: string): string {
  return `batch-row-${key}`;
}

interface RowProps extends Pick<CSSProperties, 'gridTemplateColumns'> {
  row: BatchRow;
  shown: readonly BatchColumn[];
  place: number;
  topPx: number;
  /** Only texts are drawn. */
  isBrief: boolean;
  isFocused: boolean;
  isPicked: boolean;
  onPress: (key: string, event: MouseEvent) => void;
}

const Row = memo(function Row(props: RowProps) {
  const { row, shown, place, topPx, gridTemplateColumns, isBrief, isFocused, isPicked, onPress } = props;
  const { job } = row;
  const asOfMs = useCertainUntil(knownAtMs(job), job.connectionId);
  const note = outcomeNote(row);
  const firstOutput = note === null ? -1 : shown.findIndex(({ group }) => group === 'output');
  const cells = firstOutput === -1 ? shown : shown.slice(0, firstOutput);
  const name = batchTableText.row(job.batchRow ?? place + 1);
  return (
    <div
      id={rowId(job.key)}
      role="row"
      aria-rowindex={place + 2}
      aria-selected={isFocused || isPicked}
      data-key={job.key}
      className={classes(
        styles.row,
        isPicked && styles.picked,
        isFocused && styles.focused,
        asOfMs !== null && styles.uncertain,
      )}
      style={{ transform: `translateY(${topPx}px)`, gridTemplateColumns }}
      onClick={(event) => onPress(job.key, event)}
      onDoubleClick={(event) => {
        if (event.shiftKey) callOrReport('window:openJob', { key: job.key });
        else useJobs.getState().select(job.key);
      }}
    >
      <span role="rowheader" className={styles.rowHead} aria-label={`${name}, ${statusWord(job)}`}>
        <span className={styles.pick} data-pick>
          <CheckMark isOn={isPicked} />
        </span>
        <span className={styles.number}>{job.batchRow ?? '–'}</span>
        <span className={styles.open} data-open aria-hidden="true" title={batchTableText.openJob(name)}>
          <Maximize2 size={12} />
        </span>
      </span>
      {cells.map((column, at) => (
        <span
          key={column.id}
          role="gridcell"
          data-column={column.id}
          className={classes(
            styles.cell,
            column.isFigure && styles.figure,
            shown[at - 1]?.group !== column.group && at > 0 && styles.begins,
          )}
        >
          {isBrief ? briefContent(column, row) : cellContent(column, row, asOfMs)}
        </span>
      ))}
      {note !== null && firstOutput !== -1 && (
        <span
          role="gridcell"
          aria-colspan={shown.length - firstOutput}
          className={classes(styles.cell, firstOutput > 0 && styles.begins)}
          style={{ gridColumn: `span ${shown.length - firstOutput}` }}
        >
          <span
            className={classes('trunc', note.kind === null ? styles.quiet : statusTextClass(note.kind))}
            dir="auto"
            title={note.text}
          >
            {note.text}
          </span>
        </span>
      )}
    </div>
  );
});

const factWidthsPx = { status: 124, wait: 88, execution: 96, cost: 88, mark: 92, label: 132, title: 260, id: 92 };

/** Wide enough for most values, and no wider than lets a reader see several columns. */
function usualWidthPx({ source, title, longest, isFigure, summary }: BatchColumn): number {
  if (source.kind === 'fact') return factWidthsPx[source.fact];
  const content = longest * (isFigure ? 7.4 : 6.6) + 18;
  const head = Math.max(title.length * 7.2 + 34, isFigure ? summary.length * 6 + 10 : 0);
  return Math.round(Math.min(source.kind === 'output' ? 420 : 280, Math.max(84, content, Math.min(180, head))));
}
