import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, Braces, ListTree } from 'lucide-react';
import { useCallback, useId, useRef, useState, type CSSProperties, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { formatBytes, formatCountOf } from '../design/format.ts';
import { ContextMenu, type MenuEntry } from '../design/menu.tsx';
import { hasCommandKey } from '../design/platform.ts';
import { saveText } from '../stream/save-file.ts';
import { inSlices } from '../stream/use-text-rows.ts';
import { useSteps } from '../stream/use-steps.ts';
import { columnFacts, contentsOf } from './json-words.ts';
import { copyEntries, copyRow, copyValue, plainValue } from './json-copies.tsx';
import { kindOf, type JsonIndex } from './json-index.ts';
import { cellAt, readTable, sortedRows, type JsonColumn, type JsonTable, type TableSort } from './json-table.ts';
import { tableFile, tableTypes, type TableFormat } from './table-files.ts';
import styles from './json-table.module.css';

const rowPx = 28;
const formats: readonly { format: TableFormat; name: string }[] = [
  { format: 'csv', name: 'CSV' },
  { format: 'ndjson', name: 'NDJSON' },
  { format: 'json', name: 'JSON' },
];

export interface JsonTableViewProps {
  index: JsonIndex;
  /** The array of objects. */
  node: number;
  /** Its name, for the file it is saved as. */
  name: string;
  /** Shows a value in the tree. */
  onShowInTree: (node: number) => void;
  /** The choice of what is shown, above the table. */
  choice: ReactNode;
}

/** An array of objects as a table: sorted by a column, copied from cell by cell, saved whole. */
export function JsonTableView({ index, node, name, onShowInTree, choice }: JsonTableViewProps) {
  const [sort, setSort] = useState<TableSort | null>(null);
  const startTable = useCallback(() => readTable(index, node), [index, node]);
  const reading = useSteps(startTable);
  const table = reading?.start === startTable ? reading.result : null;
  const startSort = useCallback(() => orderOf(index, table, sort), [index, table, sort]);
  const order = useSteps(startSort)?.result ?? null;
  return (
    <>
      <div className={styles.head}>{choice}</div>
      {table !== null && order !== null && order.length === table.rows.length && (
        <>
          <Grid {...{ index, table, order, sort, onShowInTree }} onSort={setSort} />
          <div className={styles.foot}>
            <span className={styles.count}>
              {formatCountOf(table.rows.length, 'object')}, {formatCountOf(table.columns.length, 'column')}
              {table.leftOut > 0 && `, ${formatCountOf(table.leftOut, 'more key')} in the tree only`}
            </span>
            <span className={styles.gap} />
            <span>Save as</span>
            {formats.map((each) => (
              <Button
                key={each.format}
                size="sm"
                aria-label={`Save as ${each.name}`}
                onClick={() => saveTable(index, table, order, each.format, name)}
              >
                {each.name}
              </Button>
            ))}
          </div>
        </>
      )}
    </>
  );
}

function* orderOf(index: JsonIndex, table: JsonTable | null, sort: TableSort | null) {
  return table === null ? null : yield* sortedRows(index, table, sort);
}

function saveTable(index: JsonIndex, table: JsonTable, order: Uint32Array, format: TableFormat, name: string): void {
  const steps = tableFile(index, table, order, format);
  let next = steps.next();
  inSlices(
    () => {
      next = steps.next();
    },
    () => next.done === true,
    () => {
      if (next.done === true) saveText(`${name.replaceAll(/[^\w-]+/g, '_')}.${format}`, next.value, tableTypes[format]);
    },
  );
}

interface GridProps {
  index: JsonIndex;
  table: JsonTable;
  order: Uint32Array;
  sort: TableSort | null;
  onSort: (sort: TableSort | null) => void;
  onShowInTree: (node: number) => void;
}

function Grid({ index, table, order, sort, onSort, onShowInTree }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const gridId = useId();
  const [at, setAt] = useState({ row: 0, column: 0 });
  const virtualizer = useVirtualizer({
    count: order.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    scrollMargin: 0,
    scrollPaddingStart: 60,
  });
  const placePx = Math.max(44, String(order.length).length * 8 + 12);
  const gridTemplateColumns = `${placePx}px ${table.columns.map(widthOf).join(' ')}`;
  const current = cellAt(table, order[at.row] ?? 0, at.column);
  const go = (row: number, column: number): void => {
    const next = {
      row: Math.min(order.length - 1, Math.max(0, row)),
      column: Math.min(table.columns.length - 1, Math.max(0, column)),
    };
    setAt(next);
    virtualizer.scrollToIndex(next.row);
    const header = scroller.current?.querySelectorAll('[role="columnheader"]')[next.column + 1];
    header?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (hasCommandKey(event) && event.key.toLowerCase() === 'c' && String(getSelection()) === '' && current !== -1) {
      event.preventDefault();
      copyValue(index, current);
      return;
    }
    if (event.target !== scroller.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 3);
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(at.row + 1, at.column),
      ArrowUp: () => go(at.row - 1, at.column),
      ArrowRight: () => go(at.row, at.column + 1),
      ArrowLeft: () => go(at.row, at.column - 1),
      PageDown: () => go(at.row + page, at.column),
      PageUp: () => go(at.row - page, at.column),
      Home: () => go(0, at.column),
      End: () => go(order.length - 1, at.column),
      Enter: () => onShowInTree(current === -1 ? (table.rows[order[at.row] ?? 0] ?? 0) : current),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };
  const items = virtualizer.getVirtualItems();
  const grid = (
    <div
      ref={scroller}
      className={styles.scroller}
      role="grid"
      aria-label="Table"
      aria-rowcount={order.length + 1}
      aria-activedescendant={
        items.some((item) => item.index === at.row) ? `${gridId}${at.row}-${at.column}` : undefined
      }
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <Header {...{ table, sort, onSort, gridTemplateColumns }} />
      <div className={styles.rows} role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const row = order[item.index] ?? 0;
          return (
            <div
              key={item.key}
              role="row"
              aria-rowindex={item.index + 2}
              className={classes(styles.row, item.index === at.row && styles.current)}
              style={{ transform: `translateY(${item.start}px)`, gridTemplateColumns }}
            >
              <span role="rowheader" className={styles.place}>
                {row}
              </span>
              {table.columns.map((column, place) => (
                <span
                  key={column.key}
                  id={`${gridId}${item.index}-${place}`}
                  role="gridcell"
                  aria-selected={item.index === at.row && place === at.column}
                  className={classes(styles.cell, column.kind === 'number' && styles.figure)}
                  onPointerDown={() => setAt({ row: item.index, column: place })}
                >
                  <Cell index={index} node={cellAt(table, row, place)} />
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
  return (
    <ContextMenu items={cellEntries(index, current, table.rows[order[at.row] ?? 0] ?? 0, onShowInTree)}>
      {grid}
    </ContextMenu>
  );
}

function cellEntries(index: JsonIndex, cell: number, row: number, onShowInTree: (node: number) => void): MenuEntry[] {
  return [
    ...(cell === -1 ? [] : copyEntries(index, cell)),
    {
      kind: 'item',
      label: 'Copy row as JSON',
      icon: <Braces size={14} aria-hidden="true" />,
      note: formatBytes((index.end[row] ?? 0) - (index.valueStart[row] ?? 0)),
      onSelect: () => copyRow(index, row),
    },
    { kind: 'separator' },
    {
      kind: 'item',
      label: 'Show in tree',
      icon: <ListTree size={14} aria-hidden="true" />,
      keys: ['↵'],
      onSelect: () => onShowInTree(cell === -1 ? row : cell),
    },
  ];
}

function Header({
  table,
  sort,
  onSort,
  gridTemplateColumns,
}: Pick<GridProps, 'table' | 'sort' | 'onSort'> & Pick<CSSProperties, 'gridTemplateColumns'>) {
  return (
    <div className={styles.header} role="rowgroup">
      <div role="row" aria-rowindex={1} className={styles.headerRow} style={{ gridTemplateColumns }}>
        <span role="columnheader" className={styles.column}>
          Index
        </span>
        {table.columns.map((column, place) => {
          const isSorted = sort?.column === place;
          const isDescending = isSorted && sort.isDescending;
          return (
            <span
              key={column.key}
              role="columnheader"
              aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}
              className={classes(styles.column, column.kind === 'number' && styles.figure)}
            >
              <button
                type="button"
                className={classes(styles.sort, isSorted && styles.sorted)}
                onClick={() => onSort(isDescending ? null : { column: place, isDescending: isSorted })}
              >
                {isSorted && (isDescending ? <ArrowDown aria-hidden="true" /> : <ArrowUp aria-hidden="true" />)}
                <span className="trunc">{column.key}</span>
              </button>
              <span className={styles.facts}>{columnFacts(column, table.rows.length)}</span>
            </span>
          );
        })}
      </div>
    </div>
  );
}

function Cell({ index, node }: { index: JsonIndex; node: number }) {
  if (node === -1) return <span className={styles.missing}>–</span>;
  const kind = kindOf(index, node);
  if (kind === 'object' || kind === 'array') return <span className={styles.chip}>{contentsOf(index, node)}</span>;
  const from = index.valueStart[node] ?? 0;
  const end = index.end[node] ?? 0;
  if (end - from > 400) return <span className={styles.string}>{index.text.slice(from + 1, from + 200)}…</span>;
  return <span className={kind === 'string' ? styles.string : styles.literal}>{plainValue(index, node)}</span>;
}

/** Every row is a grid of its own, so that no width may depend on what is in it. */
function widthOf({ key, kind }: JsonColumn): string {
  const least = kind === 'string' || kind === 'mixed' ? 180 : 104;
  return `${Math.min(240, Math.max(least, key.length * 8 + 24))}px`;
}
