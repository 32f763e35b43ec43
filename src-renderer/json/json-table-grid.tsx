import { useVirtualizer } from '@tanstack/react-virtual';
import { Braces, ExternalLink, Funnel, ListTree } from 'lucide-react';
import { useId, useLayoutEffect, useRef, type CSSProperties, type KeyboardEvent } from 'react';
import { classes } from '../design/class-names.ts';
import { formatBytes } from '../../src-preload/format.ts';
import { ContextMenu, type MenuEntry } from '../design/menu/menu.tsx';
import { hasCommandKey } from '../design/keyboard/platform.ts';
import { jsonCopyText, jsonTableText } from '../messages/json/view.ts';
import { narrowedFilter } from './filter/narrow-filter.ts';
import { copyEntries, linkEntries, copyRow, copyValue, plainValue } from './json-copies.tsx';
import { addressOf } from './json-address.ts';
import { kindOf, positionOf, type JsonIndex } from './json-index.ts';
import { Marked } from './json-row.tsx';
import { TableHeader, type ShownColumn } from './json-table-header.tsx';
import { cellAt, type JsonColumn, type JsonTable, type TableSort } from './json-table.ts';
import { contentsOf } from './json-summaries.ts';
import { fittingPx, type ColumnWidths } from './column-widths.ts';
import { hitsBetween, type FindInJson } from './json-search-bar.tsx';
import styles from './json-table.module.css';

const rowPx = 28;
/** The largest height, with a histogram. */
const headerPx = 88;

export interface TableGridProps {
  index: JsonIndex;
  /** The JSONPath that selects the rows. */
  rowsPath: string;
  /** Filters by a JSONPath. Null if nothing can be filtered. */
  onFilter: ((path: string) => void) | null;
  /** Shows a value in the tree. */
  onShowInTree: (node: number) => void;
  table: JsonTable;
  order: Uint32Array;
  sort: TableSort | null;
  onSort: (sort: TableSort | null) => void;
  /** The visible columns. */
  shown: readonly ShownColumn[];
  widths: ColumnWidths;
  /** Hides a column. Null while it is the only one. */
  onHide: ((column: number) => void) | null;
  /** Asks before an address is opened. */
  onLink: (url: string) => void;
  /** The current cell: a row in the order shown, and one of the visible columns. It is scrolled to when it changes. */
  at: GridPlace;
  onAt: (at: GridPlace) => void;
  finding: FindInJson;
}

export interface GridPlace {
  row: number;
  column: number;
}

/** A table's rows, of which only those in view are drawn. Keys move between cells and copy them. */
export function TableGrid(props: TableGridProps) {
  const { index, table, order, sort, rowsPath, shown, at, finding, onAt, onSort, onFilter, onShowInTree } = props;
  const { widths, onHide, onLink } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const gridId = useId();
  const virtualizer = useVirtualizer({
    count: order.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    // The header is in the same scroller above the rows, so that rows are that much further down.
    scrollPaddingEnd: headerPx,
  });
  const placePx = Math.max(44, String(order.length).length * 8 + 12);
  const gridTemplateColumns = [placePx, ...shown.map(({ widthPx }) => widthPx)].map((px) => `${px}px`).join(' ');
  const currentColumn = shown[at.column]?.column ?? 0;
  const current = cellAt(table, order[at.row] ?? 0, currentColumn);
  const go = (row: number, column: number): void => {
    onAt({
      row: Math.min(order.length - 1, Math.max(0, row)),
      column: Math.min(shown.length - 1, Math.max(0, column)),
    });
  };
  useLayoutEffect(() => {
    virtualizer.scrollToIndex(at.row);
    const header = scroller.current?.querySelectorAll('[role="columnheader"]')[at.column + 1];
    header?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [virtualizer, at.row, at.column]);
  const address = current === -1 ? null : addressOf(index, current);
  const open = (): void => {
    if (address !== null) onLink(address);
    else onShowInTree(current === -1 ? (table.rows[order[at.row] ?? 0] ?? 0) : current);
  };
  const fit = (column: number): void => {
    const key = table.columns[shown[column]?.column ?? -1]?.key;
    if (key !== undefined && scroller.current !== null) widths.keep(key, fittingPx(scroller.current, column));
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
      Enter: () => open(),
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
      aria-label={jsonTableText.table}
      aria-rowcount={order.length + 1}
      aria-activedescendant={
        items.some((item) => item.index === at.row) ? `${gridId}${at.row}-${at.column}` : undefined
      }
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <TableHeader {...{ table, shown, sort, onSort, widths, onHide, gridTemplateColumns }} onFit={fit} />
      <div className={styles.rows} role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const row = order[item.index] ?? 0;
          return (
            <GridRow
              key={item.key}
              {...{ index, table, row, shown, gridId, finding, onAt, onLink, gridTemplateColumns }}
              place={item.index}
              topPx={item.start}
              currentColumn={item.index === at.row ? at.column : null}
            />
          );
        })}
      </div>
    </div>
  );
  const entries = cellEntries(index, current, table.rows[order[at.row] ?? 0] ?? 0, { onLink, onShowInTree });
  const narrow =
    onFilter === null ? null : narrowEntry(index, current, rowsPath, table.columns[currentColumn], onFilter);
  return <ContextMenu items={narrow === null ? entries : [...entries, narrow]}>{grid}</ContextMenu>;
}

interface GridRowProps
  extends
    Pick<TableGridProps, 'index' | 'table' | 'shown' | 'finding' | 'onAt' | 'onLink'>,
    Pick<CSSProperties, 'gridTemplateColumns'> {
  /** Its number in the table, and its position in the order shown. */
  row: number;
  place: number;
  topPx: number;
  gridId: string;
  /** The current cell, if it is in this row. */
  currentColumn: number | null;
}

function GridRow(props: GridRowProps) {
  const { index, table, row, place, shown, topPx, gridId, currentColumn, finding, onAt, onLink } = props;
  const { gridTemplateColumns } = props;
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      className={classes(styles.row, currentColumn !== null && styles.current)}
      style={{ transform: `translateY(${topPx}px)`, gridTemplateColumns }}
    >
      <span role="rowheader" className={styles.place}>
        {placeOf(index, table, row)}
      </span>
      {shown.map(({ column }, at) => (
        <span
          key={column}
          id={`${gridId}${place}-${at}`}
          role="gridcell"
          aria-selected={at === currentColumn}
          className={classes(styles.cell, table.columns[column]?.kind === 'number' && styles.figure)}
          onPointerDown={() => onAt({ row: place, column: at })}
        >
          <Cell index={index} node={cellAt(table, row, column)} finding={finding} onLink={onLink} />
        </span>
      ))}
    </div>
  );
}

/** A row's position in the array that it comes from. */
function placeOf(index: JsonIndex, table: JsonTable, row: number): number {
  if (index.origin === undefined || table.node !== 0) return row;
  const { whole, nodes } = index.origin;
  return positionOf(whole, nodes[row] ?? 0);
}

/** "Only rows with 54.90". Null for an object or array. */
function narrowEntry(
  index: JsonIndex,
  cell: number,
  rowsPath: string,
  column: JsonColumn | undefined,
  onFilter: (path: string) => void,
): MenuEntry | null {
  if (cell === -1 || column === undefined || ['object', 'array'].includes(kindOf(index, cell))) return null;
  const path = narrowedFilter(rowsPath, column.key, index, cell);
  if (path === null) return null;
  return {
    kind: 'item',
    label: jsonTableText.onlyRowsWith(plainValue(index, cell)),
    icon: <Funnel size={14} aria-hidden="true" />,
    onSelect: () => onFilter(path),
  };
}

function cellEntries(
  index: JsonIndex,
  cell: number,
  row: number,
  { onLink, onShowInTree }: Pick<TableGridProps, 'onLink' | 'onShowInTree'>,
): MenuEntry[] {
  const links = cell === -1 ? [] : linkEntries(index, cell, onLink);
  return [
    ...(cell === -1 ? [] : copyEntries(index, cell)),
    {
      kind: 'item',
      label: jsonCopyText.copyRow,
      icon: <Braces size={14} aria-hidden="true" />,
      note: formatBytes((index.end[row] ?? 0) - (index.valueStart[row] ?? 0)),
      onSelect: () => copyRow(index, row),
    },
    { kind: 'separator' },
    ...links,
    {
      kind: 'item',
      label: jsonTableText.showInTree,
      icon: <ListTree size={14} aria-hidden="true" />,
      keys: links.length > 0 ? undefined : ['↵'],
      onSelect: () => onShowInTree(cell === -1 ? row : cell),
    },
  ];
}

interface CellProps extends Pick<TableGridProps, 'index' | 'finding' | 'onLink'> {
  /** Its value; -1 if the row has none. */
  node: number;
}

function Cell({ index, node, finding, onLink }: CellProps) {
  if (node === -1) return <span className={styles.missing}>–</span>;
  const kind = kindOf(index, node);
  if (kind === 'object' || kind === 'array') return <span className={styles.chip}>{contentsOf(index, node)}</span>;
  const text = <ScalarText index={index} node={node} finding={finding} />;
  const address = kind === 'string' ? addressOf(index, node) : null;
  if (address === null) return text;
  return (
    <span className={styles.linked} data-linked="">
      {text}
      <button
        type="button"
        tabIndex={-1}
        className={styles.open}
        aria-label={jsonCopyText.openAddress}
        onClick={() => onLink(address)}
      >
        <ExternalLink aria-hidden="true" />
      </button>
    </span>
  );
}

function ScalarText({ index, node, finding }: Omit<CellProps, 'onLink'>) {
  const isString = kindOf(index, node) === 'string';
  const from = index.valueStart[node] ?? 0;
  const end = index.end[node] ?? 0;
  const quotes = isString ? 1 : 0;
  const isLong = end - from > 400;
  return (
    <span className={isString || isLong ? styles.string : styles.literal}>
      {hitsBetween(finding.search, from, end) > 0 ? (
        <Marked index={index} from={from + quotes} to={end - quotes} finding={finding} />
      ) : isLong ? (
        `${index.text.slice(from + 1, from + 200)}…`
      ) : (
        plainValue(index, node)
      )}
    </span>
  );
}
